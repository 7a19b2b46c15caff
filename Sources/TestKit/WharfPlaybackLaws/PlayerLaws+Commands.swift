internal import WharfChecks
internal import WharfPlayback

extension PlayerLaws {
    static func commands<Subject>(_ open: @escaping @Sendable (Subject) async throws -> Instance) -> [Law<Subject>] {
        let begun = Generator.zip(.element(of: [film, other]), .int(in: 2...600), .bool)
        return [
            Law("a loaded item is at its position, playing or paused", for: begun, runs: 8) {
                (subject: Subject, load) in
                let it = try await open(subject)
                try await it.load(load.0, at: .seconds(load.1), playing: load.2)
            },
            Law(
                "the last of several plays and pauses wins", for: .array(of: .bool, count: 5...9), runs: 40
            ) { (subject: Subject, plays) in
                let it = try await open(subject)
                // The opposite of the last command, so a player that does nothing is detected.
                try await it.load(playing: !(plays.last ?? false))
                for plays in plays { try await it.player.perform(plays ? .play : .pause) }
                try await it.requireDevice(plays.last == true ? .playing : .paused, film)
            },
            Law("a seek keeps the player playing or paused") { (subject: Subject) in
                for plays in [true, false] {
                    let it = try await open(subject)
                    let reader = StateReader(it.player.states())
                    try await it.load(playing: plays)
                    try await it.player.perform(.seek(to: .seconds(120)))
                    try await it.requireDevice(plays ? .playing : .paused, film, at: .seconds(120))
                    try await it.require(reader, tells: plays ? .playing : .paused, at: .seconds(120))
                }
            },
            Law("a progress changes neither the item nor whether the player plays") { (subject: Subject) in
                for plays in [true, false] {
                    let it = try await open(subject)
                    try await it.load(playing: plays)
                    try await it.player.perform(.progress(.seconds(30)))
                    try await it.requireDevice(plays ? .playing : .paused, film)
                }
            },
            Law("a stop forgets the item") { (subject: Subject) in
                let it = try await open(subject)
                let reader = StateReader(it.player.states())
                try await it.load()
                try await it.player.perform(.stop)
                try await it.requireDevice(.idle, nil)
                try await it.require(reader, tells: .idle)
                // The stop must leave a player that can load again.
                try await it.load(other, playing: false)
            },
            Law("a play, a pause and a seek are refused without an item") { (subject: Subject) in
                let it = try await open(subject)
                for command in [.play, .pause, .seek(to: .seconds(3))] as [PlaybackCommand] {
                    let answer = try await require(
                        onlyThrowing: PlaybackError.self, where: { $0.code == .refused },
                        { try await it.player.perform(command) })
                    guard case .failure = answer else { throw FailedRequirement(found: "\(command) was taken") }
                }
                try await it.requireDevice(.idle, nil)
            },
            Law("a stop and a progress without an item are accepted, and do nothing") { (subject: Subject) in
                let it = try await open(subject)
                for command in [.stop, .progress(.seconds(3))] as [PlaybackCommand] {
                    try await it.player.perform(command)
                }
                try await it.requireDevice(.idle, nil)
            },
        ]
    }
}
