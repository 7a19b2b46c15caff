public import WharfCore
public import WharfJSON

/// How the body of an answer becomes a payload, as a value.
///
/// ```swift
/// extension Decoding where Payload == Table {
///     static var csv: Self { Decoding(accepting: "text/csv") { bytes, _ in try Table(csv: bytes) } }
/// }
/// ```
///
/// What the closure throws becomes ``ReadFailure/Code/undecodable``, unless it is a ``ReadFailure``
/// itself.
public struct Decoding<Payload: Sendable>: Sendable {
    /// What `Accept` asks for, where the request does not say it; nil for nothing.
    public let accepted: String?
    /// False where an answer without a body has a meaning of its own; otherwise it is
    /// ``ReadFailure/Code/noData``.
    public let expectsData: Bool
    let reading: Reading
    /// nil where the body of an error status has no form that is known.
    let explaining: StatusExplanation?

    /// What is read, and how.
    enum Reading: Sendable {
        case bytes(@Sendable ([UInt8], HTTPResponse) throws -> Payload)
        case json(@Sendable (JSONBytes) throws -> Payload)
    }

    public init(
        accepting accepted: String? = nil, expectsData: Bool = true,
        _ body: @escaping @Sendable ([UInt8], HTTPResponse) throws -> Payload
    ) {
        self.init(accepted, expectsData, .bytes(body))
    }

    /// A form of JSON that needs a closure. The body comes in memory that the reader reads in
    /// place.
    ///
    /// ```swift
    /// Decoding(json: { bytes in try JSON.decode(JSONValue.self, from: bytes) })
    /// ```
    public init(
        accepting accepted: String? = "application/json", json body: @escaping @Sendable (JSONBytes) throws -> Payload
    ) {
        self.init(accepted, true, .json(body))
    }

    init(_ accepted: String?, _ expectsData: Bool, _ reading: Reading, explaining: StatusExplanation? = nil) {
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

/// What the body of an answer with an error status says of its reason; nil for nothing.
typealias StatusExplanation = @Sendable ([UInt8], HTTPResponse) -> (any Error)?

/// What a mapping threw, to be told from what a decoding threw.
struct Unmappable: Error {
    let payload: Any.Type
    let model: Any.Type
    let cause: any Error
}

extension Decoding where Payload == [UInt8] {
    /// The body as it is; an empty one is a value too.
    public static var bytes: Self { Self(expectsData: false) { bytes, _ in bytes } }
}

extension Decoding where Payload == String {
    /// The body as UTF-8; an empty one is a value too.
    public static var text: Self {
        Self(expectsData: false) { bytes, _ in
            guard let text = String(validating: bytes, as: UTF8.self) else { throw NotUTF8() }
            return text
        }
    }
}

extension Decoding where Payload == Void {
    /// Only whether it went well; a body is read to its end and thrown away.
    public static var ignored: Self { Self(expectsData: false) { _, _ in } }
}

private struct NotUTF8: Error, CustomStringConvertible {
    var description: String { "the bytes are not UTF-8; decode with .bytes to see them" }
}
