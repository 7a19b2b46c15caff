import Testing
import Wharf
import WharfFakes

/// One answer or failure, and the reactions of Segment, Apprise and Wharf.
struct RetryRow: Sendable, CustomTestStringConvertible {
    /// The answer to a request, or its failure.
    enum Condition: Hashable, Sendable {
        case answer(Int, [String: String])
        /// The connection breaks inside the body of an answer.
        case brokenOff(Int)
        case failure(TransportError.Code)
    }

    /// The treatment of a batch's file by `analytics-swift`. See ``RetryTable`` for the sources.
    enum Segment: Hashable, Sendable {
        case delivered
        /// Segment removes the file.
        case dropped
        /// The batch waits for a backoff. The attempt counts.
        case backoff
        /// No batch is sent for the given number of seconds. The attempt counts for the pipeline.
        case pause(Int)
        /// The file is sent again with the next flush, without a backoff. No attempt counts.
        case nextFlush
    }

    /// The result of Apprise's `NotifyJSON.send`. It does not distinguish failures: each is retried
    /// as often as `?retry=` says, which is never by default.
    enum Apprise: Hashable, Sendable { case sent, failed }

    let condition: Condition
    let segment: Segment
    let apprise: Apprise
    /// The verdicts of Wharf, as `Delivery.Verdict.name` words them.
    let destination: String
    let collector: String
    let gateway: String
    /// The reason why Wharf differs. It is empty if Wharf does the same as Segment.
    let reason: String

    init(
        _ condition: Condition, segment: Segment, apprise: Apprise = .failed, destination: String, collector: String,
        gateway: String, _ reason: String = ""
    ) {
        self.condition = condition
        self.segment = segment
        self.apprise = apprise
        self.destination = destination
        self.collector = collector
        self.gateway = gateway
        self.reason = reason
    }

    var testDescription: String {
        switch condition {
        case .answer(let status, let fields):
            ([String(status)] + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
                .joined(separator: ", ")
        case .brokenOff(let status): "\(status), broken off"
        case .failure(let code): code.name
        }
    }

    /// The scripted answer of the transport.
    var answer: StubAnswer {
        switch condition {
        case .answer(let status, let fields):
            var head = HTTPResponse(status: .init(code: status))
            for (name, value) in fields {
                if let name = HTTPField.Name(name) { head.headerFields[name] = value }
            }
            return StubAnswer(head: head)
        case .brokenOff(let status):
            return StubAnswer(
                head: HTTPResponse(status: .init(code: status)), chunks: [Array("{".utf8)],
                failure: TransportError(.connectionLost, message: "scripted end inside the body"))
        case .failure(let code): return .failure(code)
        }
    }
}

extension RetryRow {
    /// The fate of the data, to compare the libraries.
    enum Outcome: Hashable {
        case delivered
        /// Sent again, after the number of seconds that the receiver gave, if any.
        case again(Int?)
        case givenUp
    }

    var outcomeOfSegment: Outcome {
        switch segment {
        case .delivered: .delivered
        case .dropped: .givenUp
        case .backoff, .nextFlush: .again(nil)
        case .pause(let seconds): .again(seconds)
        }
    }

    var outcomesOfWharf: Set<Outcome> { Set([destination, collector, gateway].map(Self.outcome)) }

    /// Whether one of Wharf's conformers differs from Segment or from Apprise.
    var isDifferent: Bool {
        if outcomesOfWharf != [outcomeOfSegment] { return true }
        return (apprise == .sent) != (outcomeOfSegment == .delivered)
    }

    private static func outcome(of verdict: String) -> Outcome {
        switch verdict {
        case "delivered": return .delivered
        case "rejected", "conflict": return .givenUp
        default:
            let pause = verdict.split(separator: " ").last.flatMap { Int($0) }
            return .again(pause)
        }
    }
}

/// The rule of Segment's state machine with its defaults, to check the column of the table.
///
/// It is written from the values in `HttpConfig.swift` and the order of cases in
/// `RetryStateMachine.swift` and `HTTPClient.swift`, with rate limits and backoff switched on.
enum SegmentRule {
    static func outcome(_ status: Int, retryAfter: String?) -> RetryRow.Segment {
        // `Int` also reads a sign. It reads neither a date nor a number beyond 64 bits.
        let asked = retryAfter.flatMap { Int($0) }
        func pause(_ seconds: Int) -> RetryRow.Segment { .pause(min(max(seconds, 0), 300)) }
        if (1..<300).contains(status) { return .delivered }
        if status == 429 { return pause(asked ?? 300) }
        guard [408, 410, 460].contains(status) || (500..<600).contains(status) && status != 501 && status != 505
        else { return .dropped }
        return asked.map(pause) ?? .backoff
    }
}
