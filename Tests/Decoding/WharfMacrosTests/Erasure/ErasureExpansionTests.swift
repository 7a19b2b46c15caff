import Testing
import WharfChecks

@Suite struct ErasureExpansionTests {
    @Test func everyKindOfRequirementIsForwarded() {
        Expansion.check(
            """
            @TypeErased @MainActor
            public protocol Shelf<Item, Failure>: Sendable where Item: Hashable {
                associatedtype Item: Sendable & Comparable
                associatedtype Failure: Error

                var count: Int { get }
                var label: String { get set }
                var first: Item { get async throws }
                subscript(index: Int) -> Item { get set }
                subscript(named name: String) -> Item? { get }
                func load(_ number: Int, at place: String) async throws(Failure) -> Item
                func find(for: Item, unless: @autoclosure () -> Bool, into: inout [Item]) -> Bool
                func each<Result>(_ transform: (Item) -> Result) -> [Result] where Result: Sendable
                mutating func add(_ item: Item)
                @discardableResult func reversed() async throws -> Self
            }
            """,
            becomes: """
                @MainActor
                public protocol Shelf<Item, Failure>: Sendable where Item: Hashable {
                    associatedtype Item: Sendable & Comparable
                    associatedtype Failure: Error

                    var count: Int { get }
                    var label: String { get set }
                    var first: Item { get async throws }
                    subscript(index: Int) -> Item { get set }
                    subscript(named name: String) -> Item? { get }
                    func load(_ number: Int, at place: String) async throws(Failure) -> Item
                    func find(for: Item, unless: @autoclosure () -> Bool, into: inout [Item]) -> Bool
                    func each<Result>(_ transform: (Item) -> Result) -> [Result] where Result: Sendable
                    mutating func add(_ item: Item)
                    @discardableResult func reversed() async throws -> Self
                }

                @MainActor
                public struct AnyShelf<Item: Sendable & Comparable, Failure: Error>: Shelf where Item: Hashable {
                    private var base: any Shelf<Item, Failure>

                    public init(_ base: some Shelf<Item, Failure>) {
                        self.base = base
                    }

                    public var count: Int {
                        get { base.count }
                    }

                    public var label: String {
                        get { base.label }
                        set { base.label = newValue }
                    }

                    public var first: Item {
                        get async throws { try await base.first }
                    }

                    public subscript(index: Int) -> Item {
                        get { base[index] }
                        set { base[index] = newValue }
                    }

                    public subscript(named name: String) -> Item? {
                        get { base[named: name] }
                    }

                    public func load(_ number: Int, at place: String) async throws(Failure) -> Item {
                        try await base.load(number, at: place)
                    }

                    public func find(for: Item, unless: @autoclosure () -> Bool, into: inout [Item]) -> Bool {
                        base.find(for: `for`, unless: unless(), into: &into)
                    }

                    public func each<Result>(_ transform: (Item) -> Result) -> [Result] where Result: Sendable {
                        base.each(transform)
                    }

                    public mutating func add(_ item: Item) {
                        base.add(item)
                    }

                    @discardableResult public func reversed() async throws -> Self {
                        try await Self(base.reversed())
                    }
                }
                """)
    }

    @Test func restatedAndKnownInheritedRequirementsAreForwarded() {
        Expansion.check(
            """
            @TypeErased(restating: (any Named).self, (any Store).self)
            public protocol Shelf: Named, Store<Int>, Error, CustomStringConvertible, CustomDebugStringConvertible {
                var name: String { get }
                var debugDescription: String { get }
            }
            """,
            becomes: """
                public protocol Shelf: Named, Store<Int>, Error, CustomStringConvertible, CustomDebugStringConvertible {
                    var name: String { get }
                    var debugDescription: String { get }
                }

                public struct AnyShelf: Shelf {
                    private let base: any Shelf

                    public init(_ base: some Shelf) {
                        self.base = base
                    }

                    public var name: String {
                        get { base.name }
                    }

                    public var debugDescription: String {
                        get { base.debugDescription }
                    }

                    public var description: String {
                        base.description
                    }
                }
                """)
    }

    @Test func nonmutatingProtocolIsHeldAsAConstant() {
        Expansion.check(
            """
            @TypeErased private protocol Lamp {
                var isOn: Bool { get nonmutating set }
            }
            """,
            becomes: """
                private protocol Lamp {
                    var isOn: Bool { get nonmutating set }
                }

                private struct AnyLamp: Lamp {
                    private let base: any Lamp

                    init(_ base: some Lamp) {
                        self.base = base
                    }

                    var isOn: Bool {
                        get { base.isOn }
                        nonmutating set { base.isOn = newValue }
                    }
                }
                """)
    }
}
