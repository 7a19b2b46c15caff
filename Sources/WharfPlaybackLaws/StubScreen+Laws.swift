internal import WharfFakes
public import WharfPlayback
public import WharfPlaybackFakes

extension StubScreen {
    /// What the laws see of a stub, and do to it.
    ///
    /// - Parameter screen: nil for the stub itself; or one that plays by it.
    public func underLaws(_ screen: (any Screen)? = nil) -> ScreenLaws.Instance {
        let gate = Gate()
        return ScreenLaws.Instance(
            screen ?? self, device: { [device] in device.state },
            remote: { [device] command in
                var state = device.state
                // Nobody presses what is refused.
                do { try state.apply(command) } catch { return }
                device.report(state)
            },
            leave: { [self] in vanish() },
            comeBack: { [self] in
                hold(connectingAt: nil)
                device.hold(at: nil)
                comeBack()
            },
            hang: { [self] in
                hold(connectingAt: gate)
                device.hold(at: gate)
            })
    }
}
