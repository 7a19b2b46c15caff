internal import WharfChecks
internal import WharfPlayback

extension ScreenLaws {
    static let connections: [Law<Subject>] = [
        Law("without a connection it tells nothing and takes no command") { subject in
            let it = try await subject.make()
            try await it.requireDisconnected("before it was connected")
        },
        Law("connecting twice is like once") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            let reader = StateReader(it.screen.states())
            try await it.player.require(reader, tells: .idle)
            try await it.screen.connect()
            try await it.player.load(playing: false)
            try await it.player.require(reader, tells: .paused)
            await it.screen.disconnect()
            try await it.requireOver(reader, "after it was let go of once")
        },
        Law("what the device plays goes on when it is connected and let go of") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            try await it.player.load(at: .seconds(60))
            await it.screen.disconnect()
            try await it.player.requireDevice(.playing, PlayerLaws.film, at: .seconds(60))
            try await it.screen.connect()
            try await it.player.requireDevice(.playing, PlayerLaws.film, at: .seconds(60))
            try await it.player.require(StateReader(it.screen.states()), tells: .playing, at: .seconds(60))
        },
        Law("who was let go of tells nothing more, and takes no command; twice is harmless") { subject in
            let it = try await subject.make()
            await it.screen.disconnect()
            try await it.screen.connect()
            let reader = StateReader(it.screen.states())
            await it.screen.disconnect()
            await it.screen.disconnect()
            try await it.requireOver(reader, "after it was let go of")
            try await it.requireDisconnected("after it was let go of")
        },
        Law("a loss is told as long as it lasts, and is none where it was let go of") { subject in
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
