public import WharfCore

/// How much of one kind and account stays in a store. What is nil is without limit.
public struct EvictionLimits: Hashable, Sendable {
    /// Since the origin last vouched for it.
    public var age: Duration?
    /// How many models; lists are not counted.
    public var count: Int?
    /// What models and lists take as they are encoded. What the store needs around them is not
    /// counted.
    public var bytes: Int?

    public init(age: Duration? = nil, count: Int? = nil, bytes: Int? = nil) {
        self.age = age
        self.count = count
        self.bytes = bytes
    }
}

/// What was taken out of a store.
public struct Evicted: Hashable, Sendable {
    /// The longest unvouched for first.
    public let models: [EntityKey]
    /// The lists that had any of them, were too old themselves, or whose bytes were needed. A
    /// list's `id` is the name of its query.
    public let lists: [EntityKey]
    /// Of both, as they were encoded.
    public let bytes: Int

    public init(models: [EntityKey], lists: [EntityKey], bytes: Int) {
        self.models = models
        self.lists = lists
        self.bytes = bytes
    }
}
