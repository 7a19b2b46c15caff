internal import WharfChecks
internal import WharfPlayback

extension PlayerLaws {
    static func states<Subject>(_ open: @escaping @Sendable (Subject) async throws -> Instance) -> [Law<Subject>] {
        [
            Law("a new reader of the states gets the current one") { subject in
                let it = try await open(subject)
                let early = StateReader(it.player.states())
                try await it.require(early, tells: .idle)
                try await it.load(playing: false)
                try await it.require(early, tells: .paused)
                let late = StateReader(it.player.states())
                try await it.require(late, tells: .paused)
            },
            Law("each reader of the states gets the outcome of a command") { subject in
                let it = try await open(subject)
                let readers = [it.player.states(), it.player.states(), it.player.states()].map(StateReader.init)
                try await it.load(at: .seconds(60))
                for reader in readers { try await it.require(reader, tells: .playing, at: .seconds(60)) }
                try await it.player.perform(.pause)
                for reader in readers { try await it.require(reader, tells: .paused) }
            },
            Law("a slow reader of the states gets the last one") { subject in
                let it = try await open(subject)
                // Opened before the changes and read after them: only the newest state may be
                // waiting.
                let unread = it.player.states()
                let other = StateReader(it.player.states())
                try await it.load()
                try await it.player.perform(.seek(to: .seconds(90)))
                try await it.player.perform(.pause)
                try await it.require(other, tells: .paused, at: .seconds(90))
                try await it.require(StateReader(unread), tells: .paused, at: .seconds(90))
            },
            Law("a change made at the device reaches the readers of the states") { subject in
                let it = try await open(subject)
                let reader = StateReader(it.player.states())
                try await it.load()
                try await it.require(reader, tells: .playing)
                await it.remote(.pause)
                try await it.require(reader, tells: .paused)
                await it.remote(.stop)
                try await it.require(reader, tells: .idle)
            },
            Law("the item in the states is the loaded one, unchanged") { subject in
                let it = try await open(subject)
                let reader = StateReader(it.player.states())
                for item in [film, other] {
                    try await it.load(item)
                    try await eventually {
                        "of \(item) it told \(String(describing: reader.states.last?.item))"
                    } until: {
                        reader.states.last?.item == item
                    }
                }
            },
        ]
    }
}
