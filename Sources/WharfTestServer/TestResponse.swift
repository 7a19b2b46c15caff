#if TestServer
public import WharfCore

/// What a ``TestServer`` does with a request: an answer, or one of the ways in which an answer
/// fails to come.
///
/// ```swift
/// server.route(.get, "/users/1", .json(#"{"id": 1}"#).maxAge(30).etag("\"v1\""))
/// server.route(.get, "/slow", .text("late").held { await gate.pass() })
/// server.route(.get, "/cut", .text("hello world").truncated(after: 5))
/// ```
public struct TestResponse: Sendable {
    /// Something that a response waits for before it goes on. It is cancelled when the client
    /// leaves.
    public typealias Hold = @Sendable () async -> Void

    enum Content: Sendable {
        case bytes([UInt8])
        /// What they throw cuts the connection.
        case pieces(@Sendable (Int) async throws -> [UInt8]?)
    }

    enum Delivery: Sendable {
        case answer
        case raw
        case close
        case hang
    }

    public var status: HTTPResponse.Status
    /// `Date`, `Content-Length` and `Connection` are added when they are not set here.
    public var fields: HTTPFields
    var content: Content
    var delivery: Delivery = .answer
    var isChunked = false
    var closesAfterwards = false
    var answersConditionally = false
    var cut: Int?
    var hold: Hold?
    var bodyHolds: [(offset: Int, hold: Hold)] = []

    public init(_ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.content = .bytes(body)
    }

    /// A body that is pulled; what `next` throws cuts the connection.
    init(
        _ status: HTTPResponse.Status, fields: HTTPFields,
        next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?
    ) {
        self.init(status, fields: fields)
        content = .pieces { _ in try await next() }
        isChunked = fields[.contentLength] == nil
    }

    private init(_ delivery: Delivery, _ bytes: [UInt8] = []) {
        self.init(body: bytes)
        self.delivery = delivery
    }
}

// MARK: - Answers

extension TestResponse {
    public static func text(
        _ body: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TestResponse {
        TestResponse(status, fields: fields, body: Array(body.utf8)).defaulting(
            .contentType, "text/plain; charset=utf-8")
    }

    public static func json(
        _ body: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TestResponse {
        TestResponse(status, fields: fields, body: Array(body.utf8)).defaulting(.contentType, "application/json")
    }

    public static func status(_ status: HTTPResponse.Status, fields: HTTPFields = [:]) -> TestResponse {
        TestResponse(status, fields: fields)
    }

    /// - Parameter location: an absolute URL or a relative reference, sent as it is.
    public static func redirect(to location: String, status: HTTPResponse.Status = .found) -> TestResponse {
        TestResponse(status, fields: [.location: location])
    }

    /// A body that is made while it is sent: `piece` gets 0, 1, 2, … and gives nil at the end.
    ///
    /// Each piece is asked for when the one before it is in the socket, so a client that does not
    /// read holds it back. Sent chunked, unless `fields` has a `Content-Length`.
    public static func pieces(
        fields: HTTPFields = [:], _ piece: @escaping @Sendable (Int) async -> [UInt8]?
    ) -> TestResponse {
        var response = TestResponse(fields: fields)
        response.content = .pieces(piece)
        response.isChunked = fields[.contentLength] == nil
        return response
    }
}

// MARK: - Failures

extension TestResponse {
    /// Closes the connection before a head.
    public static var dropped: TestResponse { TestResponse(.close) }

    /// Never answers. It ends when the client leaves or the server stops.
    public static var hanging: TestResponse { TestResponse(.hang) }

    /// Exactly these bytes in place of head and body, and then the connection is closed: for what
    /// is no HTTP.
    public static func raw(_ bytes: [UInt8]) -> TestResponse { TestResponse(.raw, bytes) }

    /// The head announces the whole body, but the connection is closed after `count` bytes of it.
    public func truncated(after count: Int) -> TestResponse { with { $0.cut = count } }
}

// MARK: - Time

extension TestResponse {
    /// Waits before the head.
    public func held(_ hold: @escaping Hold) -> TestResponse { with { $0.hold = hold } }

    /// Sends the head and `count` bytes of the body, then waits. May be used several times with
    /// rising counts.
    public func heldInBody(after count: Int = 0, _ hold: @escaping Hold) -> TestResponse {
        with { $0.bodyHolds.append((count, hold)) }
    }

    /// Waits for `duration` before the head.
    ///
    /// - Parameter clock: measures it; a `TestClock`, in a test that is not to wait itself.
    public func delayed(by duration: Duration, on clock: any Clock<Duration> = ContinuousClock()) -> TestResponse {
        held {
            // Only a client that left ends the pause early, and then nobody waits for it.
            do { try await clock.sleep(for: duration) } catch { return }
        }
    }
}

// MARK: - Caching and framing

extension TestResponse {
    /// `Cache-Control: max-age`, in seconds.
    public func maxAge(_ seconds: Int) -> TestResponse { cacheControl("max-age=\(seconds)") }

    public func cacheControl(_ directives: String) -> TestResponse { setting(.cacheControl, directives) }

    /// Sets `ETag`, and answers 304 to a GET or HEAD whose `If-None-Match` lists it.
    ///
    /// - Parameter tag: with its quotes, as in the field.
    public func etag(_ tag: String) -> TestResponse {
        setting(.eTag, tag).with { $0.answersConditionally = true }
    }

    /// Sets `Last-Modified`, and answers 304 to a GET or HEAD whose `If-Modified-Since` is the
    /// same.
    public func lastModified(_ time: WallTime) -> TestResponse {
        setting(.lastModified, time.httpDate).with { $0.answersConditionally = true }
    }

    /// Adds a field beside those of the same name, as with several `Set-Cookie`.
    public func adding(_ name: HTTPField.Name, _ value: String) -> TestResponse {
        with { $0.fields.append(HTTPField(name: name, value: value)) }
    }

    /// Replaces the fields of that name.
    public func setting(_ name: HTTPField.Name, _ value: String) -> TestResponse {
        with { $0.fields[name] = value }
    }

    /// Sends the body by `Transfer-Encoding: chunked`, without `Content-Length`.
    public func chunked() -> TestResponse { with { $0.isChunked = true } }

    /// Closes the connection after the answer, announced by `Connection: close`.
    public func closing() -> TestResponse { with { $0.closesAfterwards = true } }

    private func defaulting(_ name: HTTPField.Name, _ value: String) -> TestResponse {
        fields[name] == nil ? setting(name, value) : self
    }

    private func with(_ change: (inout TestResponse) -> Void) -> TestResponse {
        var copy = self
        change(&copy)
        return copy
    }
}

extension TestResponse {
    /// The answer to a conditional request (RFC 9110 §13.2.2): `If-None-Match` goes before
    /// `If-Modified-Since`.
    func conditional(on request: TestRequest) -> TestResponse {
        guard answersConditionally, status == .ok, request.method == .get || request.method == .head else {
            return self
        }
        if let wanted = request.fields[.ifNoneMatch] {
            guard let tag = fields[.eTag] else { return self }
            let known = wanted.split(separator: ",").map { Self.opaque($0.drop { $0 == " " }) }
            guard known.contains("*") || known.contains(Self.opaque(tag[...])) else { return self }
        } else {
            guard let since = request.fields[.ifModifiedSince], since == fields[.lastModified] else { return self }
        }
        return with {
            $0.status = .notModified
            $0.content = .bytes([])
            $0.isChunked = false
            $0.fields[.contentType] = nil
        }
    }

    /// Weak comparison (RFC 9110 §8.8.3.2).
    private static func opaque(_ tag: Substring) -> Substring {
        let trimmed = tag.last == " " ? tag.dropLast() : tag
        return trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed
    }
}
#endif
