import WharfMacros

/// The protocol of the article.
@TypeErased
protocol Fetchable<FetchType> {
    associatedtype FetchType

    func fetch(completion: @escaping ([FetchType]?) -> Void)
}

struct UserFetch: Fetchable {
    let names: [String]

    func fetch(completion: @escaping ([String]?) -> Void) { completion(names) }
}

protocol Named {
    var name: String { get }
}

/// A protocol that inherits from others.
@TypeErased(restating: (any Named).self)
protocol Labelled: Named, Error, CustomStringConvertible {
    var name: String { get }
    func label() -> String
}

struct Jar: Labelled {
    let name: String

    var description: String { "a jar of \(name)" }
    func label() -> String { "\(name)!" }
}

/// A protocol with each kind of requirement.
@TypeErased
public protocol Shelf<Item, Failure>: Sendable where Item: Hashable {
    associatedtype Item: Sendable
    associatedtype Failure: Error

    var count: Int { get }
    var label: String { get set }
    var first: Item? { get async throws }
    subscript(index: Int) -> Item { get set }
    subscript(named name: String) -> Item? { get }
    func load(_ number: Int, at place: String) async throws(Failure) -> Item
    func each<Result: Sendable>(_ transform: (Item) throws -> Result) throws -> [Result]
    func describe(_ items: some Sequence<Item>, in place: String) -> String
    func count(_ number: inout Int, unless: @autoclosure () -> Bool)
    mutating func add(_ item: Item)
    @MainActor func present() -> String
    @discardableResult func reversed() -> Self
    func contains(_ item: Self.Item) -> Bool
}

struct Empty: Error, Equatable {}

struct Books: Shelf {
    var titles: [String]
    var label = "books"

    var count: Int { titles.count }
    var first: String? { get async throws { titles.first } }
    subscript(index: Int) -> String {
        get { titles[index] }
        set { titles[index] = newValue }
    }
    subscript(named name: String) -> String? { titles.first { $0 == name } }
    func load(_ number: Int, at place: String) async throws(Empty) -> String {
        guard titles.indices.contains(number) else { throw Empty() }
        return titles[number]
    }
    func each<Result: Sendable>(_ transform: (String) throws -> Result) throws -> [Result] { try titles.map(transform) }
    func describe(_ items: some Sequence<String>, in place: String) -> String { "\(Array(items)) in \(place)" }
    func count(_ number: inout Int, unless: @autoclosure () -> Bool) { if !unless() { number += titles.count } }
    mutating func add(_ item: String) { titles.append(item) }
    @MainActor func present() -> String { titles.joined(separator: ", ") }
    func reversed() -> Books { Books(titles: titles.reversed()) }
    func contains(_ item: String) -> Bool { titles.contains(item) }
}
