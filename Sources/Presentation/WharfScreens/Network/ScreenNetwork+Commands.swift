internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// The outcome of a command that was sent.
enum CommandOutcome {
    /// The command was accepted, with the state at that time.
    case taken(ScreenMessage.State)
    /// The command failed, and the session continues.
    case refused(PlaybackError)
    /// The session is over, or the receiver cannot be reached.
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
            return .refused(
                PlaybackError(.malformed, "the command can't be written as JSON: \(error.message)", cause: error))
        }
        let answer: Answer
        do throws(PlaybackError) {
            answer = try await sendAgain(address.request(.post, path, bytes, timeout: timeout))
        } catch {
            return error.code == .disconnected ? .over(error) : .refused(error)
        }
        do throws(PlaybackError) {
            let message = try read(ScreenMessage.State.self, from: answer, for: "a command")
            if message.sequence == sequence { return .taken(message) }
            throw PlaybackError(
                .malformed,
                "expected the state since command \(sequence), found the state since command \(message.sequence)")
        } catch {
            if answer.status == .gone { return .over(error) }
            guard error.code == .disconnected else { return .refused(error) }
            // A 409 with `disconnected` concerns the receiver's own player. Passed on unchanged it
            // would mean that this screen is lost.
            return answer.status == .conflict
                ? .refused(PlaybackError(.refused, error.message, cause: error)) : .over(error)
        }
    }
}
