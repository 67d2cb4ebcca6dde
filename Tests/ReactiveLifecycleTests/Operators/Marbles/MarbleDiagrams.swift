/// The diagrams of the operators, as their documentation shows them.
extension MarbleDiagram {
  static let gate = MarbleDiagram(
    in: "ReactiveLifecycle/Operators/Gate/Publisher+Gate",
    """
    phase      active ───────▶ inactive ─────────▶ active ────────────▶
    upstream   ──1─────2───────────3───────4─────────────────5─────|
    .drop      ──1─────2─────────────────────────────────────5─────|
    .latest    ──1─────2───────────────────────────4─────────5─────|
    .all       ──1─────2───────────────────────────[34]──────5─────|
    """
  )

  static let whilePhase = MarbleDiagram(
    in: "ReactiveLifecycle/Operators/WhilePhase/Publisher+WhilePhase",
    """
    phase      inactive ──▶ active ────────▶ inactive ────▶ active ────────▶ terminated ▶
    upstream                S────1───2───────C              S────3───4───────C
    result     ──────────────────1───2───────────────────────────3───4───────|
    """
  )

  static let prefix = MarbleDiagram(
    in: "ReactiveLifecycle/Operators/Prefix/Publisher+PrefixUntil",
    """
    events     ──────willResignActive────────didEnterBackground──────▶
    upstream   ──1───────2───────────────3─────────────4─────────5───▶
    result     ──1───────2───────────────3───|
    """
  )

  static let withPhase = MarbleDiagram(
    in: "ReactiveLifecycle/Operators/WithPhase/Publisher+WithPhase",
    """
    phase      inactive ─────▶ active ───────────────────▶ inactive ──────────▶
    upstream   ──1───────────────2────────────3──────────────4──────────────|
    result     ──(1, inactive)───(2, active)──(3, active)────(4, inactive)──|
    """
  )

  static let settle = MarbleDiagram(
    in: "ReactiveLifecycle/Operators/Settle/LifecyclePublisher+Settle",
    """
    seconds    0         1         2         3         4         5         6
    phases     active    inactive  active    inactive                      background
    settled    active                                            inactive  background
    """
  )

  static let dutyCycle = MarbleDiagram(
    in: "LifecycleBackgroundWork/DutyCycle/Publisher+DutyCycle",
    """
    phase      active ──▶ background ─────────────────────────────▶ active ─────▶
    upstream   S───1────────2───3───[4C]        S──5───6───[7C]     S───8───9────▶
    task                            ╞═ rest ════╡          ╞═ rest ═╡
    result     ────1────────────────4──────────────────────7────────────8───9────▶
    """
  )

  static let all = [gate, whilePhase, prefix, withPhase, settle, dutyCycle]
}
