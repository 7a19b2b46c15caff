internal import WharfFakes
public import WharfPlayback
public import WharfPlaybackFakes

extension StubScreen {
    /// Returns this stub as an instance for the laws.
    ///
    /// - Parameter screen: a screen that plays through this stub; nil for the stub itself.
    public func underLaws(_ screen: (any Screen)? = nil) -> ScreenLaws.Instance {
        let gate = Gate()
        return ScreenLaws.Instance(
            screen ?? self, device: { [device] in device.state },
            remote: { [device] command in
                var state = device.state
                // A remote control does not send a command that the device would refuse.
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
