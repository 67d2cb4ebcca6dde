// Methods that implement no requirement, though they look like it. The compiler accepts them: each
// requirement of these protocols is optional. `.ci/type-check-apple` must name those marked here.

import UIKit

final class WrongLabel: UIResponder, UIApplicationDelegate {
  func application(  // near miss
    _ application: UIApplication,
    didFinishLaunchingWith options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    true
  }
}

final class WrongParameter: UIResponder, UIApplicationDelegate {
  func application(  // near miss
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [String: Any]?
  ) -> Bool {
    true
  }
}

final class WrongResult: UIResponder, UIApplicationDelegate {
  func application(  // near miss
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) {}
}

final class WrongProperty: UIResponder, UIWindowSceneDelegate {
  var window: UIView?  // near miss
}

final class RightAndWrong: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    true
  }

  func application(  // near miss
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]
  ) -> Bool {
    true
  }

  private func application() {}  // near miss
}

final class InExtension: UIResponder, UISceneDelegate {}

extension InExtension {
  func scene(  // near miss
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options: UIScene.ConnectionOptions?
  ) {}
}

final class Right: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  func scene(
    _ scene: UIScene,
    willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  func unrelated() {}
}
