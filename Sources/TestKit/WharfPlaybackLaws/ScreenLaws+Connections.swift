internal import WharfChecks
internal import WharfPlayback

extension ScreenLaws {
    static let connections: [Law<Subject>] = [
        Law("an unconnected screen has no states, and accepts no command") { subject in
            let it = try await subject.make()
            try await it.requireDisconnected("before it was connected")
        },
        Law("a second connect changes nothing") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            let reader = StateReader(it.screen.states())
            try await it.player.require(reader, tells: .idle)
            try await it.screen.connect()
            try await it.player.load(playing: false)
            try await it.player.require(reader, tells: .paused)
            await it.screen.disconnect()
            // A screen that counts its connects would still be connected here.
            try await it.requireOver(reader, "after it was let go of once")
        },
        Law("the device plays on when the screen connects and disconnects") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            try await it.player.load(at: .seconds(60))
            await it.screen.disconnect()
            try await it.player.requireDevice(.playing, PlayerLaws.film, at: .seconds(60))
            try await it.screen.connect()
            try await it.player.requireDevice(.playing, PlayerLaws.film, at: .seconds(60))
            try await it.player.require(StateReader(it.screen.states()), tells: .playing, at: .seconds(60))
        },
        Law("a screen disconnected once or twice has no states, and accepts no command") { subject in
            let it = try await subject.make()
            await it.screen.disconnect()
            try await it.screen.connect()
            let reader = StateReader(it.screen.states())
            await it.screen.disconnect()
            await it.screen.disconnect()
            try await it.requireOver(reader, "after it was let go of")
            try await it.requireDisconnected("after it was let go of")
        },
        Law("a screen has no loss after it reconnects, and none after it disconnects") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            try require(it.screen.loss == nil, "connected, it tells a loss")
            let reader = StateReader(it.screen.states())
            await it.leave()
            try await it.noticeLoss(reader)
            await it.comeBack()
            try await it.screen.connect()
            try require(it.screen.loss == nil, "connected again, it tells the loss of before")
            await it.screen.disconnect()
            try require(it.screen.loss == nil, "let go of, it tells a loss")
        },
    ]
}
