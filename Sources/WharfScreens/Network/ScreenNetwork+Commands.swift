internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// What became of a command that was sent.
enum CommandOutcome {
    case taken
    /// The session goes on.
    case refused(PlaybackError)
    /// There is no session any more, or nobody who would know of one.
    case over(PlaybackError)
}

extension ScreenNetwork {
    func send(
        _ command: PlaybackCommand, _ sequence: Int, to address: ScreenAddress, _ path: String
    ) async -> CommandOutcome {
        let bytes: [UInt8]
        do throws(JSONError) {
            bytes = try JSON.encode(ScreenMessage.Command(sequence: sequence, command: command))
        } catch {
            return .refused(PlaybackError(.malformed, "the command can't be written: \(error.message)", cause: error))
        }
        let answer: Answer
        do throws(PlaybackError) {
            answer = try await sendAgain(address.request(.post, path, bytes, timeout: timeout))
        } catch {
            return error.code == .disconnected ? .over(error) : .refused(error)
        }
        if (200..<300).contains(answer.status.code) { return .taken }
        let error = PlaybackError(answer, for: "the command to be taken")
        // One that the player did not reach is a matter of the player; one that found no session is the end of it.
        let isOver = error.code == .disconnected && answer.status != .conflict || answer.status == .gone
        return isOver ? .over(error) : .refused(error)
    }
}
