internal import WharfCore
internal import WharfJSON

extension HTTPCollector {
    /// The largest answer that is read, in bytes.
    private static let longestAnswer = 256 * 1024

    func usual(_ answer: CollectorResponse) -> CollectorAnswer {
        switch answer.head.status.code {
        case 200..<300: return .accepted
        case 413: return .tooLarge
        case 400, 422: return .refused(events: answer.named)
        // A proxy on the way, such as a captive portal, has answered (RFC 6585 §6).
        case 511: return .failed(Delivery.Verdict(answer.head, now: clock.now()))
        case let status:
            let code: DeliveryFailure.Code = status == 429 ? .rateLimited : .unavailable
            let failure = DeliveryFailure(
                code, message: "\(receiver) did not take the events: status \(answer.head.status)", status: status)
            let pause = QuotaFields.pause(in: answer.head.headerFields, now: clock.now())
            return .failed(status == 429 ? .rateLimited(failure, after: pause) : .retry(failure, after: pause))
        }
    }

    func verdict(_ error: TransportError) -> Delivery.Verdict {
        switch Delivery.Verdict(error, now: clock.now()) {
        // The endpoint is at fault, and not the events.
        case .rejected(let failure): .retry(failure)
        // The account's other deliveries need not wait for a collector's credential.
        case .needsAuthentication(let failure): .retry(failure)
        case let other: other
        }
    }

    func pause(_ head: HTTPResponse) -> Duration? { RetryAfter.delay(in: head.headerFields, now: clock.now()) }

    /// Reads a body to its end, so that the connection can be reused.
    ///
    /// - Returns: `cut` if the body broke off.
    func read(_ body: BodyStream) async -> (JSONValue?, text: String, cut: TransportError?) {
        let bytes: [UInt8]
        do throws(TransportError) {
            bytes = try await body.collect(upTo: Self.longestAnswer)
        } catch {
            // A body that is too long will be so the next time, too.
            return (nil, "its reason can't be read: \(error)", error.code == .tooLarge ? nil : error)
        }
        guard !bytes.isEmpty else { return (nil, "without a reason", nil) }
        do throws(JSONError) {
            let value = try JSON.decode(JSONValue.self, from: bytes)
            return (value, String("\(value)".prefix(1_000)), nil)
        } catch {
            return (nil, "its reason can't be read: \(error)", nil)
        }
    }

    func brokenOff(_ head: HTTPResponse, _ error: TransportError) -> DeliveryFailure {
        DeliveryFailure(
            .noAnswer, message: "the response of \(receiver) broke off: \(error.message)",
            status: head.status.code)
    }
}

extension DeliveryFailure {
    /// The failure of a body that is not sent, because the receiver would refuse it.
    static func tooLarge(_ bytes: Int, _ limit: Int, _ receiver: String) -> Self {
        Self(
            .rejected,
            message: "the body for \(receiver) has \(bytes) bytes, and it takes at most \(limit); send smaller events")
    }
}
