/// What one target of Wharf may import.
public struct Rule: Sendable, Hashable {
    public let target: String
    /// Targets of Wharf.
    public let siblings: Set<String>
    /// Modules from elsewhere; for a product the module has its name.
    public let outside: Set<String>
    /// Modules that its files `…+Apple.swift` may import besides: there they are part of the
    /// platform.
    public let onApple: Set<String>
    /// What it may pass on to whoever imports it.
    public let reexports: Set<String>

    public init(
        _ target: String, siblings: Set<String> = [], outside: Set<String> = [], onApple: Set<String> = [],
        reexports: Set<String> = []
    ) {
        self.target = target
        self.siblings = siblings
        self.outside = outside
        self.onApple = onApple
        self.reexports = reexports
    }

    /// Part of the toolchain or of the platform, light, and allowed everywhere.
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
