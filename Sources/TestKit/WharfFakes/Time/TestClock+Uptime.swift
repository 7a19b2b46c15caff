public import WharfCore

extension TestClock {
    /// The uptime of a machine that was started together with this clock.
    public var uptime: some UptimeClock { TestUptime(clock: self) }
}

private struct TestUptime: UptimeClock {
    let clock: TestClock

    func now() -> Uptime { Uptime(boot: "test", nanoseconds: clock.now.offset.saturatedNanoseconds) }
}
