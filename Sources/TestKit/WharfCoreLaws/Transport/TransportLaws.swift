public import WharfChecks
public import WharfCore
public import WharfFakes

/// The laws of ``Transport``, checked against an origin that plays a ``Scene``.
///
/// ```swift
/// @Test(arguments: TransportLaws.all)
/// func myTransportKeeps(law: Law<TransportLaws.Subject>) async throws {
///     try await law.check(subject)
/// }
/// ```
///
/// A transport that wraps another one is checked over a stub (``Subject/overStub(_:timer:wrap:)``).
/// A transport with its own sockets needs an origin on a socket. For each request, the origin takes
/// four steps:
///
/// 1. If the connection has answered ``Scene/requestsPerConnection`` requests, it closes the
///    connection.
/// 2. It writes the ``Wire/pieces`` of ``Scene/written(to:)``, each by a call of its own.
/// 3. It closes or resets the connection, or reads the next request, as ``Wire/end`` says.
/// 4. A ``Stage`` reports the requests, and that the client closed the connection of the first one.
public enum TransportLaws {
    /// All laws.
    public static var all: [Law<Subject>] {
        answers + bodies + endings + heads + framing + codings + connections + around
    }

    /// A transport under test, with the code that puts it before an origin.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        /// The time limit for a mutant that must break the law.
        ///
        /// `Law.prove(by:in:)` measures it. `Law.check(_:seed:)` waits without a limit.
        public var patience: Duration
        /// Whether the transport passes on interim responses.
        ///
        /// Set it to false if its HTTP client drops them. The laws then require that none comes.
        public var deliversInterim = true
        /// Whether bodies of the transport have trailers.
        ///
        /// Set it to false if its HTTP client drops them. The laws then require that they are nil.
        public var deliversTrailers = true
        let timer: any Clock<Duration>
        let play: @Sendable (Scene, TestClock, @Sendable (Stage) async throws -> Void) async throws -> Void

        /// Creates a subject.
        ///
        /// - Parameters:
        ///   - timer: measures ``patience``.
        ///   - play: makes an origin that answers each request with the scene, and a transport
        ///     whose timeouts are measured by the clock. It passes them to the closure, and ends
        ///     them when the closure returns or throws.
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

    /// The behaviour of an origin, for a live server or a script.
    public struct Scene: Sendable {
        /// The end of the answer.
        public enum Ending: Sendable, Hashable {
            /// The answer is complete.
            case complete
            /// The connection is closed after this number of bytes of the announced body.
            case truncated(after: Int)
            /// The connection is closed before a head.
            case withoutHead
            /// The origin neither sends a head nor closes the connection.
            case silent
            /// The origin sends the head and this many bytes, and leaves the connection open.
            case stalled(after: Int)
            /// The ``Scene/wire`` breaks a rule of HTTP. The transport must throw
            /// `invalidResponse`.
            case invalid
        }

        /// The head of the answer.
        public var head: HTTPResponse
        /// The body as the reader must get it.
        public var body: [UInt8]
        /// The body as it is sent, in the head's `Content-Encoding`; nil if it is equal.
        public var encoded: [UInt8]?
        /// The interim responses before the answer.
        public var interim: [HTTPResponse] = []
        /// The fields after the body, which is sent in chunks if there are any.
        public var trailers = HTTPFields()
        /// The end of the answer.
        public var ending: Ending
        /// The exact bytes of the answer; nil for the usual form of the head and the body.
        ///
        /// ``written(to:)`` has the bytes in both cases. A fake plays the head, the body and the
        /// ending instead, which are the result of a correct transport for these bytes.
        public var wire: Wire?
        /// The number of requests that a connection answers; nil for no limit.
        ///
        /// The origin reads one more request and closes the connection.
        public var requestsPerConnection: Int?
        /// Whether the origin listens on `::1`.
        ///
        /// The authority of the request has the address in brackets then.
        public var isAtIPv6 = false

        /// Creates a scene; by default a complete answer with the status 200.
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

    /// A transport with the origin that answers it.
    public struct Stage: Sendable {
        /// The transport under test.
        public let transport: any Transport
        /// A GET that the origin answers.
        public let request: TransportRequest
        /// Returns the requests that the origin has received so far.
        public let received: @Sendable () async -> [Received]
        /// Waits until a request has arrived at the origin.
        public let arrival: @Sendable () async throws -> Void
        /// Waits until the origin has seen the client leave before the answer was complete.
        public let departure: @Sendable () async throws -> Void

        /// Creates a stage.
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

    /// A request as the origin received it.
    public struct Received: Sendable {
        /// The method.
        public var method: HTTPRequest.Method
        /// The fields.
        public var fields: HTTPFields
        /// The body.
        public var body: [UInt8]

        /// Creates a record of a request.
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

    /// Sends a request and reads the whole answer, or returns the error.
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
