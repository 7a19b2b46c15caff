/// The Swift modules that a build compiles, read from SwiftPM's manifest for llbuild
/// (`debug.yaml`).
///
/// The manifest has commands for all targets of all packages. A build runs only the commands that
/// its own targets need.
public struct BuildPlan: Sendable {
    /// The modules that each module's command takes as input.
    private var imports: [String: Set<String>] = [:]

    public init(manifest: String) {
        var inputs: Set<String> = []
        for line in manifest.split(separator: "\n") {
            if line.hasPrefix("    inputs: ") {
                inputs = Set(Self.modules(in: line))
            } else if line.hasPrefix("    outputs: ") {
                for module in Self.modules(in: line) { imports[module] = inputs }
            }
        }
    }

    /// Returns the modules that are compiled for a module, itself included.
    public func modules(for module: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [module]
        while let next = waiting.popLast() {
            guard found.insert(next).inserted else { continue }
            waiting += imports[next] ?? []
        }
        return found
    }

    /// The names of the files `….swiftmodule` in a list of paths in quotes.
    private static func modules(in line: Substring) -> [String] {
        line.split(separator: "\"").compactMap { path in
            guard path.hasSuffix(".swiftmodule"), let name = path.split(separator: "/").last else { return nil }
            return String(name.dropLast(".swiftmodule".count))
        }
    }
}
