public import WharfChecks
public import WharfCore
public import WharfFakes

/// What every ``Transport`` keeps, checked against an origin that plays a ``Scene``.
///
/// ```swift
/// @Test(arguments: TransportLaws.all)
/// func myTransportKeeps(law: Law<TransportLaws.Subject>) async throws {
///     try await law.check(subject)
/// }
/// ```
///
/// A transport that wraps another one is checked over a stub (``Subject/overStub(_:timer:wrap:)``).
/// One with sockets of its own needs an origin on a socket, which takes four steps for each request
/// that it reads:
///
/// 1. Where the connection has answered ``Scene/requestsPerConnection`` requests, it closes the
///    connection.
/// 2. It writes the ``Wire/pieces`` of ``Scene/written(to:)``, each by a call of its own.
/// 3. It closes or resets the connection, or reads the next request, as ``Wire/end`` says.
/// 4. A ``Stage`` reports the requests, and that the client closed the connection of the first one.
public enum TransportLaws {
    public static var all: [Law<Subject>] { answers + bodies + endings + heads + framing + codings + connections }

    /// A transport under examination, and how to put it before an origin.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        /// How long what must happen may take for a mutant that is to break the law:
        /// `Law.prove(by:in:)` measures it, and `Law.check(_:seed:)` waits without a limit.
        public var patience: Duration
        let timer: any Clock<Duration>
        let play: @Sendable (Scene, TestClock, @Sendable (Stage) async throws -> Void) async throws -> Void

        /// - Parameters:
        ///   - timer: measures the patience.
        ///   - play: makes an origin that plays the scene to each request, and a transport whose
        ///     timeouts are measured by the clock; gives them to the closure, and ends them when it
        ///     returns or throws.
        public init(
            _ name: String, patience: Duration = .seconds(120), timer: any Clock<Duration> = ContinuousClock(),
            play: @escaping @Sendable (Scene, TestClock, @Sendable (Stage) async throws -> Void) async throws -> Void
        ) {
            self.description = name
            self.patience = patience
            self.timer = timer
            self.play = play
        }
    }

    /// How an origin behaves, as a value: a live server and a script can both play it.
    public struct Scene: Sendable {
        public enum Ending: Sendable, Hashable {
            case complete
            /// The connection is closed after so many bytes of the body that the head announces.
            case truncated(after: Int)
            /// The connection is closed before a head.
            case withoutHead
            /// Neither a head nor a close.
            case silent
            /// The head and so many bytes of the body, and then neither more nor a close.
            case stalled(after: Int)
            /// The ``Scene/wire`` breaks a rule of HTTP: `invalidResponse`, in place of an answer.
            case invalid
        }

        public var head: HTTPResponse
        /// The body as the reader should get it.
        public var body: [UInt8]
        /// The body as it goes over the wire, by the `Content-Encoding` of the head; nil when it is
        /// the same.
        public var encoded: [UInt8]?
        public var ending: Ending
        /// The exact bytes of the answer; nil for the usual form of the head and the body.
        ///
        /// ``written(to:)`` has the bytes in either case. A fake plays the head, the body and the
        /// ending instead: they are the result that a correct transport makes of these bytes.
        public var wire: Wire?
        /// How many requests each connection answers; nil for all. The origin reads one more and
        /// closes the connection.
        public var requestsPerConnection: Int?
        /// Whether the origin listens on `::1`. The request's authority has the address in brackets
        /// then.
        public var isAtIPv6 = false

        public init(
            _ head: HTTPResponse = HTTPResponse(status: .ok), body: [UInt8] = Array("hello world".utf8),
            encoded: [UInt8]? = nil, ending: Ending = .complete, wire: Wire? = nil
        ) {
            self.head = head
            self.body = body
            self.encoded = encoded
            self.ending = ending
            self.wire = wire
        }
    }

    /// A transport before its origin.
    public struct Stage: Sendable {
        public let transport: any Transport
        /// A GET that the origin answers.
        public let request: TransportRequest
        /// What came to the origin so far.
        public let received: @Sendable () async -> [Received]
        /// Returns once a request has come to the origin.
        public let arrival: @Sendable () async throws -> Void
        /// Returns once the origin has seen the client leave before the answer was complete.
        public let departure: @Sendable () async throws -> Void

        public init(
            transport: any Transport, request: TransportRequest, received: @escaping @Sendable () async -> [Received],
            arrival: @escaping @Sendable () async throws -> Void, departure: @escaping @Sendable () async throws -> Void
        ) {
            self.transport = transport
            self.request = request
            self.received = received
            self.arrival = arrival
            self.departure = departure
        }
    }

    /// A request as the origin got it.
    public struct Received: Sendable {
        public var method: HTTPRequest.Method
        public var fields: HTTPFields
        public var body: [UInt8]

        public init(method: HTTPRequest.Method, fields: HTTPFields, body: [UInt8]) {
            self.method = method
            self.fields = fields
            self.body = body
        }
    }
}

extension TransportLaws.Stage {
    func send(_ change: (inout TransportRequest) -> Void = { _ in }) async throws(TransportError) -> TransportResponse {
        var request = request
        change(&request)
        return try await transport.send(request)
    }

    /// A whole exchange: what came, or why it did not.
    func exchange(
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) async -> Result<(head: HTTPResponse, body: [UInt8]), TransportError> {
        do throws(TransportError) {
            let response = try await send(change)
            return .success((response.head, try await response.body.collect()))
        } catch {
            return .failure(error)
        }
    }
}
