// Lists of one built-in kind, for use without brackets.

extension LifecycleEvent.Kinds {
  /// ``LifecycleEvent/Kind/didFinishLaunching`` alone.
  public static var didFinishLaunching: Self { [.didFinishLaunching] }
  /// ``LifecycleEvent/Kind/willEnterForeground`` alone.
  public static var willEnterForeground: Self { [.willEnterForeground] }
  /// ``LifecycleEvent/Kind/didBecomeActive`` alone.
  public static var didBecomeActive: Self { [.didBecomeActive] }
  /// ``LifecycleEvent/Kind/willResignActive`` alone.
  public static var willResignActive: Self { [.willResignActive] }
  /// ``LifecycleEvent/Kind/didEnterBackground`` alone.
  public static var didEnterBackground: Self { [.didEnterBackground] }
  /// ``LifecycleEvent/Kind/willTerminate`` alone.
  public static var willTerminate: Self { [.willTerminate] }
  /// ``LifecycleEvent/Kind/didReceiveMemoryWarning`` alone.
  public static var didReceiveMemoryWarning: Self { [.didReceiveMemoryWarning] }
  /// ``LifecycleEvent/Kind/significantTimeChange`` alone.
  public static var significantTimeChange: Self { [.significantTimeChange] }
  /// ``LifecycleEvent/Kind/protectedDataWillBecomeUnavailable`` alone.
  public static var protectedDataWillBecomeUnavailable: Self {
    [.protectedDataWillBecomeUnavailable]
  }
  /// ``LifecycleEvent/Kind/protectedDataDidBecomeAvailable`` alone.
  public static var protectedDataDidBecomeAvailable: Self { [.protectedDataDidBecomeAvailable] }
  /// ``LifecycleEvent/Kind/systemWillSleep`` alone.
  public static var systemWillSleep: Self { [.systemWillSleep] }
  /// ``LifecycleEvent/Kind/systemDidWake`` alone.
  public static var systemDidWake: Self { [.systemDidWake] }
  /// ``LifecycleEvent/Kind/backgroundFetchDidComplete`` alone.
  public static var backgroundFetchDidComplete: Self { [.backgroundFetchDidComplete] }
  /// ``LifecycleEvent/Kind/systemWillPowerOff`` alone.
  public static var systemWillPowerOff: Self { [.systemWillPowerOff] }
  /// ``LifecycleEvent/Kind/reloadRequest`` alone.
  public static var reloadRequest: Self { [.reloadRequest] }
  /// ``LifecycleEvent/Kind/processWasPaused`` alone.
  public static var processWasPaused: Self { [.processWasPaused] }
}
