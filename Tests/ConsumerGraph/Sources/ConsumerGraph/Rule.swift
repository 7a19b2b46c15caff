/// The imports that one target of Wharf may have.
public struct Rule: Sendable, Hashable {
    public let target: String
    /// The contents of the target, in a few words of Markdown.
    public let purpose: String
    /// The targets of Wharf that it may import.
    public let siblings: Set<String>
    /// The other modules that it may import. The module of a product has the product's name.
    public let outside: Set<String>
    /// Additional modules for its files `…+Apple.swift`, where they are part of the platform.
    public let onApple: Set<String>
    /// The modules that it may re-export.
    public let reexports: Set<String>

    public init(
        _ target: String, _ purpose: String, siblings: Set<String> = [], outside: Set<String> = [],
        onApple: Set<String> = [],
        reexports: Set<String> = []
    ) {
        self.target = target
        self.purpose = purpose
        self.siblings = siblings
        self.outside = outside
        self.onApple = onApple
        self.reexports = reexports
    }

    /// Modules of the toolchain or the platform that are light, and allowed everywhere.
    public static let everywhere: Set<String> = ["Swift", "Synchronization", "Glibc", "Darwin", "Musl"]

    func allows(_ module: String) -> Bool {
        siblings.contains(module) || outside.contains(module) || Self.everywhere.contains(module)
    }

    func allows(_ module: String, in file: String) -> Bool {
        allows(module) || file.hasSuffix("+Apple.swift") && onApple.contains(module)
    }

    /// The allowed modules for a message, in a stable order.
    var allowed: String {
        (siblings.sorted() + outside.sorted() + Self.everywhere.sorted()).joined(separator: ", ")
    }
}
