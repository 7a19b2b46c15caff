public import WharfCore

/// The reaction of a ``TestServer`` to a request: an answer, or a scripted failure.
///
/// ```swift
/// server.route(.get, "/users/1", .json(#"{"id": 1}"#).maxAge(30).etag("\"v1\""))
/// server.route(.get, "/slow", .text("late").held { await gate.pass() })
/// server.route(.get, "/cut", .text("hello world").truncated(after: 5))
/// ```
public struct TestResponse: Sendable {
    /// An operation that a response waits for. It is cancelled if the client leaves.
    public typealias Hold = @Sendable () async -> Void

    enum Content: Sendable {
        case bytes([UInt8])
        /// An error cuts the connection.
        case pieces(@Sendable (Int) async throws -> [UInt8]?)
    }

    enum Delivery: Sendable {
        case answer
        case raw
        case close
        case hang
    }

    /// The status of the answer.
    public var status: HTTPResponse.Status
    /// The fields. Missing `Date`, `Content-Length` and `Connection` fields are added.
    public var fields: HTTPFields
    var content: Content
    var delivery: Delivery = .answer
    var isChunked = false
    var interim: [HTTPResponse] = []
    var trailers = HTTPFields()
    var closesAfterwards = false
    var answersConditionally = false
    var cut: Int?
    var hold: Hold?
    var bodyHolds: [(offset: Int, hold: Hold)] = []

    /// Creates an answer with a status, fields and a complete body.
    public init(_ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.content = .bytes(body)
    }

    /// Creates an answer with a pulled body. An error of `next` cuts the connection.
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
    /// Returns an answer with a text body, by default as `text/plain` in UTF-8.
    public static func text(
        _ body: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TestResponse {
        TestResponse(status, fields: fields, body: Array(body.utf8)).defaulting(
            .contentType, "text/plain; charset=utf-8")
    }

    /// Returns an answer with a JSON body, by default as `application/json`.
    public static func json(
        _ body: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TestResponse {
        TestResponse(status, fields: fields, body: Array(body.utf8)).defaulting(.contentType, "application/json")
    }

    /// Returns an answer without a body.
    public static func status(_ status: HTTPResponse.Status, fields: HTTPFields = [:]) -> TestResponse {
        TestResponse(status, fields: fields)
    }

    /// Returns a redirect.
    ///
    /// - Parameter location: an absolute URL or a relative reference, sent unchanged.
    public static func redirect(to location: String, status: HTTPResponse.Status = .found) -> TestResponse {
        TestResponse(status, fields: [.location: location])
    }

    /// Returns an answer whose body is made while it is sent.
    ///
    /// `piece` gets 0, 1, 2, … and returns nil at the end. Each piece is requested once the one
    /// before it is in the socket, so a client that does not read holds it back. The body is
    /// chunked unless `fields` has a `Content-Length`.
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

    /// Never answers. It ends if the client leaves or the server stops.
    public static var hanging: TestResponse { TestResponse(.hang) }

    /// Sends exactly these bytes in place of head and body, and closes the connection.
    ///
    /// Use it for an answer that is not HTTP.
    public static func raw(_ bytes: [UInt8]) -> TestResponse { TestResponse(.raw, bytes) }

    /// Closes the connection after `count` bytes of the body.
    ///
    /// The head announces the whole body.
    public func truncated(after count: Int) -> TestResponse { with { $0.cut = count } }
}

// MARK: - Time

extension TestResponse {
    /// Waits before the head.
    public func held(_ hold: @escaping Hold) -> TestResponse { with { $0.hold = hold } }

    /// Sends the head and `count` bytes of the body, and then waits.
    ///
    /// It may be used several times with rising counts.
    public func heldInBody(after count: Int = 0, _ hold: @escaping Hold) -> TestResponse {
        with { $0.bodyHolds.append((count, hold)) }
    }

    /// Waits for `duration` before the head.
    ///
    /// - Parameter clock: measures the duration. With a `TestClock` the test itself does not wait.
    public func delayed(by duration: Duration, on clock: any Clock<Duration> = ContinuousClock()) -> TestResponse {
        held {
            // Only a client that left ends the pause early, and then the answer is not needed.
            do { try await clock.sleep(for: duration) } catch { return }
        }
    }
}

// MARK: - Caching and framing

extension TestResponse {
    /// Sets `Cache-Control: max-age`, in seconds.
    public func maxAge(_ seconds: Int) -> TestResponse { cacheControl("max-age=\(seconds)") }

    /// Sets `Cache-Control`.
    public func cacheControl(_ directives: String) -> TestResponse { setting(.cacheControl, directives) }

    /// Sets `ETag`, and answers 304 to a GET or HEAD whose `If-None-Match` lists it.
    ///
    /// - Parameter tag: the tag with its quotes, as in the field.
    public func etag(_ tag: String) -> TestResponse {
        setting(.eTag, tag).with { $0.answersConditionally = true }
    }

    /// Sets `Last-Modified`, and answers 304 if `If-Modified-Since` is equal.
    ///
    /// Only GET and HEAD are answered with 304.
    public func lastModified(_ time: WallTime) -> TestResponse {
        setting(.lastModified, time.httpDate).with { $0.answersConditionally = true }
    }

    /// Adds a field beside others of the same name, as for several `Set-Cookie`.
    public func adding(_ name: HTTPField.Name, _ value: String) -> TestResponse {
        with { $0.fields.append(HTTPField(name: name, value: value)) }
    }

    /// Replaces the fields with that name.
    public func setting(_ name: HTTPField.Name, _ value: String) -> TestResponse {
        with { $0.fields[name] = value }
    }

    /// Sends the body with `Transfer-Encoding: chunked`, without `Content-Length`.
    public func chunked() -> TestResponse { with { $0.isChunked = true } }

    /// Sends an interim response (1xx) before the head, and before ``held(_:)``.
    ///
    /// Several are sent in order.
    public func preceded(by head: HTTPResponse) -> TestResponse { with { $0.interim.append(head) } }

    /// Sends fields after the body (RFC 9110 §6.5), which is sent in chunks.
    public func trailed(by trailers: HTTPFields) -> TestResponse {
        chunked().with { $0.trailers = trailers }
    }

    /// Closes the connection after the answer, and announces it by `Connection: close`.
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
    /// The answer to a conditional request (RFC 9110 §13.2.2).
    ///
    /// `If-None-Match` takes precedence over `If-Modified-Since`.
    func conditional(on request: TestRequest) -> TestResponse {
        guard answersConditionally, status == .ok, request.method == .get || request.method == .head else {
            return self
        }
        if let wanted = request.fields[.ifNoneMatch] {
            // A request with `If-None-Match` is decided by it alone, even if there is no tag to
            // compare.
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

    /// The tag for a weak comparison (RFC 9110 §8.8.3.2).
    private static func opaque(_ tag: Substring) -> Substring {
        let trimmed = tag.last == " " ? tag.dropLast() : tag
        return trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed
    }
}
