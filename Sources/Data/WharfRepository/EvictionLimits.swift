public import WharfCore

/// The limits of one kind and account in a store; nil is no limit.
public struct EvictionLimits: Hashable, Sendable {
    /// The greatest age of a row: the time since the origin last sent or revalidated it.
    public var age: Duration?
    /// The most models; lists are not counted.
    public var count: Int?
    /// The most bytes of models and lists, as they are encoded.
    ///
    /// The bytes that the store needs around them are not counted.
    public var bytes: Int?

    /// Makes limits; nil is no limit.
    public init(age: Duration? = nil, count: Int? = nil, bytes: Int? = nil) {
        self.age = age
        self.count = count
        self.bytes = bytes
    }
}

/// The rows that an eviction has removed from a store.
public struct EvictionResult: Hashable, Sendable {
    /// The models, the one with the earliest `asOf` first.
    public let models: [EntityKey]
    /// The lists that had one of the models, were too old, or whose bytes were needed.
    ///
    /// A list's `id` is the name of its query.
    public let lists: [EntityKey]
    /// The bytes of the models and lists, as they were encoded.
    public let bytes: Int

    /// Makes the result of an eviction.
    public init(models: [EntityKey], lists: [EntityKey], bytes: Int) {
        self.models = models
        self.lists = lists
        self.bytes = bytes
    }
}
