internal import WharfJSON
internal import WharfPlayback

extension CastSession {
    mutating func send(_ payload: JSONValue, in namespace: Namespace, to destination: String = platform) -> [Action] {
        do throws(PlaybackError) {
            return [.send(try frame(payload, namespace, destination))]
        } catch {
            return end(error)
        }
    }

    /// Sends a request. If a command is too long to send, only this command fails.
    mutating func ask(
        _ payload: JSONValue, in namespace: Namespace, to destination: String = platform,
        for purpose: CastRequests.RequestKind, within patience: Duration = Self.patience, at now: Duration
    ) -> [Action] {
        guard case .object(let members) = payload.content else { return [] }
        let id = requests.add(
            .init(purpose: purpose, type: payload["type"]?.text ?? "a request", due: now + patience))
        do throws(PlaybackError) {
            let asked = JSONValue(.object(members + [JSONMember("requestId", JSONValue(integerLiteral: id))]))
            return [.send(try frame(asked, namespace, destination))]
        } catch {
            requests.remove(id)
            // A handshake that can't be sent can't be completed either.
            guard case .command(let call) = purpose else { return end(error) }
            return [.answer(call: call, error)]
        }
    }

    private func frame(
        _ payload: JSONValue, _ namespace: Namespace, _ destination: String
    ) throws(PlaybackError) -> [UInt8] {
        try CastFrames.frame(
            CastMessage(
                source: sender, destination: destination, namespace: namespace.rawValue,
                payload: .text(payload.description)))
    }
}
