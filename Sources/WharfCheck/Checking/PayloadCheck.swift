public import Foundation
internal import Synchronization
public import WharfJSON

/// Holds payloads against the type that reads them in production: with a team's own executable
/// where the types have dependencies, else by `wharf check`.
///
/// ```swift
/// @main enum FeedCheck {
///     static func main() async {
///         await PayloadCheck(Feed.self, decoder: .production).main()
///     }
/// }
/// ```
public struct PayloadCheck<Value>: Sendable {
    /// What reports call the type.
    public var typeName: String
    /// Strings and whole numbers that the types compare what they read with, as in
    /// `if kind == "video"`. A value that failed might have been any of them: what a type asks for
    /// after some and not after others is not reported as missing. `wharf check` finds them in the
    /// sources.
    public var constants: [String] = []
    private let checkDocument: @Sendable (JSONBytes, CheckOptions) -> CheckedDocument

    /// For a type that Foundation's decoder reads.
    ///
    /// - Parameters:
    ///   - decoder: as production configures it. What it lets pass is no error.
    ///   - rules: what must hold besides.
    @_disfavoredOverload public init(
        _ type: Value.Type, decoder: JSONDecoder = JSONDecoder(), rules: [Rule<Value>] = []
    ) where Value: Decodable & SendableMetatype {
        let judge = FoundationJudge(decoder)
        self.init(type, judge.settings, judge, rules)
    }

    /// For a type that ``/WharfJSON/CodableJSONDecoder`` reads.
    ///
    /// - Parameters:
    ///   - decoder: as production configures it.
    ///   - rules: what must hold besides.
    public init(
        _ type: Value.Type, decoder: CodableJSONDecoder, rules: [Rule<Value>] = []
    ) where Value: Decodable & SendableMetatype {
        self.init(type, decoder, nil, rules)
    }

    /// For a type that reads itself from JSON directly. Of one that is `Decodable` too this is
    /// checked, unless a decoder is given.
    ///
    /// - Parameter rules: what must hold besides.
    public init(
        _ type: Value.Type, options reading: JSONReadingOptions = JSONReadingOptions(), rules: [Rule<Value>] = []
    ) where Value: JSONDecodable & SendableMetatype {
        typeName = "\(type)"
        checkDocument = { bytes, options in
            DirectCheck(type: type, reading: reading, rules: rules, options: options).check(bytes)
        }
    }

    private init(
        _ type: Value.Type, _ decoder: CodableJSONDecoder, _ judge: FoundationJudge?, _ rules: [Rule<Value>]
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

    /// Everything that is wrong with a document, in its order; empty where there is nothing.
    ///
    /// A type that has refused the document is run again with values that stand in for those that
    /// failed, in this process: one that crashes on a value ends it.
    /// ``CheckOptions/findsEveryError`` turns that off.
    public func findings(in document: [UInt8], options: CheckOptions = CheckOptions()) -> [Finding] {
        check(JSONBytes(document), options).findings
    }

    @Sendable func check(_ bytes: JSONBytes, _ options: CheckOptions) -> CheckedDocument {
        var options = options
        options.constants = constants
        return checkDocument(bytes, options)
    }
}

/// What one check after the other uses again; checks at the same time have each their own.
private final class CodableMemories: Sendable {
    private let free = Mutex<Kept>(Kept())

    /// Handed from one to the other under the lock, and never used by two.
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
