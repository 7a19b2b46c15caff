public import WharfCore
public import WharfJSON

/// A value that describes how the body of a response becomes a payload.
///
/// ```swift
/// extension Decoding where Payload == Table {
///     static var csv: Self { Decoding(accepting: "text/csv") { bytes, _ in try Table(csv: bytes) } }
/// }
/// ```
///
/// An error of the closure becomes ``ReadFailure/Code/undecodable``, unless it is a ``ReadFailure``
/// itself.
public struct Decoding<Payload: Sendable>: Sendable {
    /// The `Accept` field of requests that set none; nil to send none.
    public let accepted: String?
    /// Whether a response without a body fails with ``ReadFailure/Code/noData``.
    public let expectsData: Bool
    package let reading: Reading
    /// Reads error bodies; nil if their form is not known.
    package let explaining: StatusExplanation?

    /// The form of the body, with the closure that reads it.
    package enum Reading: Sendable {
        case bytes(@Sendable ([UInt8], HTTPResponse) throws -> Payload)
        case json(@Sendable (JSONBytes) throws -> Payload)
    }

    /// Creates a decoding that reads the body's bytes and the response's head.
    ///
    /// - Parameters:
    ///   - accepted: the `Accept` field; nil to send none.
    ///   - expectsData: whether a response without a body fails with ``ReadFailure/Code/noData``.
    public init(
        accepting accepted: String? = nil, expectsData: Bool = true,
        _ body: @escaping @Sendable ([UInt8], HTTPResponse) throws -> Payload
    ) {
        self.init(accepted, expectsData, .bytes(body))
    }

    /// Creates a decoding of JSON by a closure, which gets the body without a copy.
    ///
    /// ```swift
    /// Decoding(json: { bytes in try JSON.decode(JSONValue.self, from: bytes) })
    /// ```
    public init(
        accepting accepted: String? = "application/json", json body: @escaping @Sendable (JSONBytes) throws -> Payload
    ) {
        self.init(accepted, true, .json(body))
    }

    package init(
        _ accepted: String?, _ expectsData: Bool, _ reading: Reading, explaining: StatusExplanation? = nil
    ) {
        self.accepted = accepted
        self.expectsData = expectsData
        self.reading = reading
        self.explaining = explaining
    }

    func map<Model: Sendable>(_ transform: @escaping @Sendable (Payload) throws -> Model) -> Decoding<Model> {
        switch reading {
        case .bytes(let read):
            Decoding<Model>(
                accepted, expectsData, .bytes { try Self.mapped(read($0, $1), transform) }, explaining: explaining)
        case .json(let read):
            Decoding<Model>(
                accepted, expectsData, .json { try Self.mapped(read($0), transform) }, explaining: explaining)
        }
    }

    private static func mapped<Model>(_ payload: Payload, _ transform: (Payload) throws -> Model) throws -> Model {
        do {
            return try transform(payload)
        } catch let unmappable as Unmappable {
            throw unmappable
        } catch {
            throw Unmappable(payload: Payload.self, model: Model.self, cause: error)
        }
    }
}

/// Reads from an error body why the request was refused; nil if the body does not say.
package typealias StatusExplanation = @Sendable ([UInt8], HTTPResponse) -> (any Error)?

/// The error of a mapping, kept apart from errors of the decoding before it.
struct Unmappable: Error {
    let payload: Any.Type
    let model: Any.Type
    let cause: any Error
}

extension Decoding where Payload == [UInt8] {
    /// The body as it is. An empty body is an empty array.
    public static var bytes: Self { Self(expectsData: false) { bytes, _ in bytes } }
}

extension Decoding where Payload == String {
    /// The body as UTF-8. An empty body is an empty string.
    public static var text: Self {
        Self(expectsData: false) { bytes, _ in
            guard let text = String(validating: bytes, as: UTF8.self) else { throw NotUTF8() }
            return text
        }
    }
}

extension Decoding where Payload == Void {
    /// No payload: only success or failure counts. A body is read to its end and dropped.
    public static var ignored: Self { Self(expectsData: false) { _, _ in } }
}

private struct NotUTF8: Error, CustomStringConvertible {
    var description: String { "the bytes are not UTF-8; decode with .bytes to see them" }
}
