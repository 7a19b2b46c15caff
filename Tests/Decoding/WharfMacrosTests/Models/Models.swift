public import WharfJSON
import WharfMacros

// Models in every form that the macro accepts, coded by the real library.

/// A date in seconds, without Foundation.
struct Instant: Hashable, Sendable {
    var seconds: Int
}

enum EpochSeconds: JSONFormat {
    static func decode(from json: inout JSONReader) -> Instant? { Int.decode(from: &json).map(Instant.init) }
    static func encode(_ value: Instant, into json: inout JSONWriter) { json.integer(value.seconds) }
}

@JSONCodable(keys: .snakeCase)
struct Account: Hashable, Sendable {
    let id: Int
    var fullName: String?
    var homeURL: String
    var visits = 0
    var ratio = -1.5
    var isActive = true, note = "none"
    let version = 3
    @JSONField("created_at", as: EpochSeconds.self) let created: Instant
    @JSONField(as: EpochSeconds.self) var lastSeen: Instant?
    @JSONField(as: EpochSeconds.self) var deletedAt: Instant??
    @JSONField(as: EpochSeconds.self) var checkedAt: Instant? = Instant(seconds: 1)
    @JSONIgnored var isSelected = false
    @JSONIgnored var draft: String?
    static let shared = 1
    var initials: String { String(homeURL.prefix(1)) }
    var watched: Int = 0 {
        didSet { isSelected = true }
    }
}

@JSONCodable struct Patch: Hashable {
    var name: String??
    var size: Optional<Optional<Int>>
    var limit: Int? = 10
}

@JSONCodable struct Place: Hashable {
    let name: String
    @JSONField("address", "city") let city: String
    @JSONField("address", "geo", "lat") let latitude: Double
    @JSONField("address", "geo", "lng") let longitude: Double
    @JSONField("address", "street") let street: String?
    @JSONField("links", "self") let link: String?
    @JSONField("links", "next", "href") let next: String?
}

/// Names that the generated code also uses, keywords, and an initialiser that hides the memberwise
/// one.
@JSONCodable struct Awkward: Hashable {
    let json: Int
    var fields: String?
    var `default`: Bool
    var element: [String: [Int]]
    let value: Int?
    private(set) var count: Int

    init(count: Int) {
        self.count = count
        (json, fields, `default`, element, value) = (1, nil, false, [:], nil)
    }
}

@JSONCodable final class Node: Sendable {
    let name: String
    let children: [Node]
    let parentName: String?

    init(name: String, children: [Node] = []) {
        (self.name, self.children, parentName) = (name, children, nil)
    }
}

@JSONCodable final class Settings {
    var volume = 7
    var language: String?
}

@JSONCodable public struct Page<Item: Sendable>: Sendable {
    public var items: [Item]
    public var next: String?
    var index: [String: Item]
}

extension Page: Equatable where Item: Equatable {}

@JSONCodable final class Box<Item> {
    let item: Item
    let inner: Box<Item>?

    init(_ item: Item, inner: Box<Item>? = nil) { (self.item, self.inner) = (item, inner) }
}

@JSONCodable struct Lookup<Key: Hashable, Owner: Identifiable>: Sendable where Key: Sendable, Owner.ID: Sendable {
    var values: [Key: Int]
    var owner: Owner.ID
}

@JSONCodable indirect enum Direction { case north, south }

/// Isolated, as all types are in a module whose default is the main actor.
@MainActor @JSONCodable struct Isolated { let id: Int }

@JSONCodable nonisolated struct NotIsolated { let id: Int }

struct Outer {
    @JSONCodable struct Inner: Hashable {
        let id: Int
        var kind: Kind

        @JSONCodable enum Kind: String { case small, large = "LARGE" }
    }

    @JSONCodable fileprivate struct Hidden { let id: Int }
    @JSONCodable fileprivate final class MoreHidden { let id: Int }
}

@JSONCodable struct Nothing: Hashable {}

/// The macro leaves hand-written members unchanged.
@JSONCodable struct HalfByHand: Hashable {
    let id: Int

    func encode(into json: inout JSONWriter) { json.string("by hand") }
}

@JSONCodable public struct DeclaresItself: JSONCodable, Hashable { let id: Int }

@JSONCodable package struct Shared { package let id: Int }
