public import Foundation
internal import Synchronization
public import WharfJSON

/// Checks payloads against the type that reads them in production.
///
/// `wharf check` uses it. If the types have dependencies, write an executable of your own:
///
/// ```swift
/// @main enum FeedCheck {
///     static func main() async {
///         await PayloadCheck(Feed.self, decoder: .production).main()
///     }
/// }
/// ```
public struct PayloadCheck<Value>: Sendable {
    /// The name of the type in reports.
    public var typeName: String
    /// Strings and whole numbers that the types compare values with.
    ///
    /// An example is `if kind == "video"`. A value that failed might have been any of them. If a
    /// type asks for a key only after some of them, that key is not reported as missing.
    /// `wharf check` collects the constants from the sources.
    public var constants: [String] = []
    private let checkDocument: @Sendable (JSONBytes, CheckOptions) -> CheckedDocument

    /// Creates a check of a type that Foundation's decoder reads.
    ///
    /// - Parameters:
    ///   - decoder: configured as in production. Input that it accepts is no error.
    ///   - rules: conditions that a decoded value must meet.
    @_disfavoredOverload public init(
        _ type: Value.Type, decoder: JSONDecoder = JSONDecoder(), rules: [Rule<Value>] = []
    ) where Value: Decodable & SendableMetatype {
        let judge = FoundationReference(decoder)
        self.init(type, judge.settings, judge, rules)
    }

    /// Creates a check of a type that ``/WharfJSON/CodableJSONDecoder`` reads.
    ///
    /// - Parameters:
    ///   - decoder: configured as in production.
    ///   - rules: conditions that a decoded value must meet.
    public init(
        _ type: Value.Type, decoder: CodableJSONDecoder, rules: [Rule<Value>] = []
    ) where Value: Decodable & SendableMetatype {
        self.init(type, decoder, nil, rules)
    }

    /// Creates a check of a type that decodes itself from JSON directly.
    ///
    /// If the type is `Decodable` too, this initializer is chosen unless a decoder is passed.
    ///
    /// - Parameter rules: conditions that a decoded value must meet.
    public init(
        _ type: Value.Type, options reading: JSONReadingOptions = JSONReadingOptions(), rules: [Rule<Value>] = []
    ) where Value: JSONDecodable & SendableMetatype {
        typeName = "\(type)"
        checkDocument = { bytes, options in
            DirectCheck(type: type, reading: reading, rules: rules, options: options).check(bytes)
        }
    }

    private init(
        _ type: Value.Type, _ decoder: CodableJSONDecoder, _ judge: FoundationReference?, _ rules: [Rule<Value>]
    ) where Value: Decodable & SendableMetatype {
        typeName = "\(type)"
        let memories = CodableMemories()
        checkDocument = { bytes, options in
            memories.withOne { memory in
                CodableCheck(
                    type: type, decoder: decoder, judge: judge, rules: rules, options: options, memory: memory
                ).check(bytes)
            }
        }
    }

    /// Returns all faults of a document, in document order.
    ///
    /// A type that refused the document runs again in this process, with stand-ins for the values
    /// that failed. If it crashes on a stand-in, the process ends. Clear
    /// ``CheckOptions/findsEveryError`` to avoid that.
    public func findings(in document: [UInt8], options: CheckOptions = CheckOptions()) -> [Finding] {
        check(JSONBytes(document), options).findings
    }

    @Sendable func check(_ bytes: JSONBytes, _ options: CheckOptions) -> CheckedDocument {
        var options = options
        options.constants = constants
        return checkDocument(bytes, options)
    }
}

/// Memory that consecutive checks reuse; concurrent checks each have their own.
private final class CodableMemories: Sendable {
    // A memory is in `free` or held by one check, never both. If two checks run at once, the second
    // makes its own, and the last one to end leaves its memory here.
    private let free = Mutex<Kept>(Kept())

    /// Sendable because the memory changes hands under the lock, and only one check holds it at a
    /// time.
    private struct Kept: @unchecked Sendable {
        var memory: CodableMemory? = CodableMemory()
    }

    func withOne<Result>(_ body: (CodableMemory) -> Result) -> Result {
        let kept = free.withLock { free in
            let kept = free
            free.memory = nil
            return kept
        }
        let mine = Kept(memory: kept.memory ?? CodableMemory())
        defer { free.withLock { $0 = mine } }
        return body(mine.memory ?? CodableMemory())
    }
}
