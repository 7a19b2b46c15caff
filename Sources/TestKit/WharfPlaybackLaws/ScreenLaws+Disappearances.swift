internal import Synchronization
internal import WharfChecks
internal import WharfFakes
internal import WharfPlayback

extension ScreenLaws {
    static let disappearances: [Law<Subject>] = [
        Law("the states of a vanished screen end, and it accepts no command") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            let reader = StateReader(it.screen.states())
            try await it.player.load()
            try await it.player.require(reader, tells: .playing)
            await it.leave()
            try await it.requireOver(reader, "after it had disappeared")
            try await it.requireDisconnected("after it had disappeared")
        },
        Law("a lost screen can be reconnected, and has the current state of its device") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            let reader = StateReader(it.screen.states())
            try await it.player.load(at: .seconds(60), playing: false)
            await it.leave()
            try await it.noticeLoss(reader)
            await it.comeBack()
            try await it.screen.connect()
            try await it.player.require(StateReader(it.screen.states()), tells: .paused, at: .seconds(60))
            try await it.screen.perform(.play)
            try await it.player.requireDevice(.playing, PlayerLaws.film)
        },
        Law("an absent screen can't be connected") { subject in
            let it = try await subject.make()
            await it.leave()
            let outcome = try await it.outcome(
                of: "connecting", it.begin { () throws(PlaybackError) in try await it.screen.connect() })
            try requireUnreachable(outcome)
        },
        Law("a connect fails if the screen vanishes meanwhile") { subject in
            let it = try await subject.make()
            await it.hang()
            let connecting = it.begin { () throws(PlaybackError) in try await it.screen.connect() }
            await letOthersRun()
            await it.leave()
            try requireUnreachable(try await it.outcome(of: "connecting", connecting))
        },
        Law("a command fails if the screen vanishes before it answers") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            await it.hang()
            let command = it.begin { () throws(PlaybackError) in try await it.screen.perform(.stop) }
            await letOthersRun()
            await it.leave()
            let outcome = try await it.outcome(of: "the command", command)
            guard case .failure(let error) = outcome, [.disconnected, .timedOut].contains(error.code) else {
                throw FailedRequirement(found: "the command came to \(outcome)")
            }
        },
    ]

    static let cancellations: [Law<Subject>] = [
        Law("a cancelled connect ends at once, and the screen can be connected later") { subject in
            let it = try await subject.make()
            await it.hang()
            let connecting = it.begin { () throws(PlaybackError) in try await it.screen.connect() }
            await letOthersRun()
            connecting.cancel()
            try requireCancelled(try await it.outcome(of: "connecting", connecting))
            await it.comeBack()
            try await it.screen.connect()
            try await it.player.require(StateReader(it.screen.states()), tells: .idle)
        },
        Law("a connect cancelled before it begins leaves the screen unconnected") { subject in
            let it = try await subject.make()
            let gate = Gate()
            let connecting = it.begin { () throws(PlaybackError) in
                await gate.pass()
                try await it.screen.connect()
            }
            connecting.cancel()
            try requireCancelled(try await it.outcome(of: "connecting", connecting))
            // A connection made after the cancellation would have states that do not end.
            try await it.requireOver(StateReader(it.screen.states()), "where connecting was cancelled")
        },
        Law("a cancelled command ends at once") { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            await it.hang()
            let command = it.begin { () throws(PlaybackError) in try await it.screen.perform(.stop) }
            await letOthersRun()
            command.cancel()
            try requireCancelled(try await it.outcome(of: "the command", command))
        },
    ]

    private static func requireUnreachable(_ outcome: Result<Void, PlaybackError>) throws {
        guard case .failure(let error) = outcome, [.disconnected, .refused, .timedOut].contains(error.code) else {
            throw FailedRequirement(found: "connecting came to \(outcome)")
        }
    }

    private static func requireCancelled(_ outcome: Result<Void, PlaybackError>) throws {
        guard case .failure(let error) = outcome, error.code == .cancelled else {
            throw FailedRequirement(found: "it came to \(outcome)")
        }
    }
}

/// A flag that is set when a task has ended.
final class StateEnd: Sendable {
    let isOver = Atomic(false)
}
