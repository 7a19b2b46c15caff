public import Foundation

/// A user's package in a scratch folder that depends on one product of Wharf.
public struct Consumer: Sendable {
    public let folder: URL
    private let builds: URL

    /// - Parameters:
    ///   - traits: the enabled traits, or nil for Wharf's defaults.
    ///   - code: the content of the package's only file, or nil for an import alone.
    ///   - root: the folder of Wharf. It may have any name.
    ///   - builds: the folder for build products, or nil for one that is removed with the package.
    ///     Consumers with the same traits share it, so that each module is compiled once.
    public init(
        of product: String, traits: [String]? = nil, code: String? = nil, wharf root: URL, builds: URL?
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "consumer-\(UUID().uuidString)")
        let choice = traits?.sorted().joined(separator: "-") ?? "default"
        self.builds = builds?.appending(path: "traits-\(choice)") ?? folder.appending(path: ".build")
        let sources = folder.appending(path: "Sources/Consumer")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let list = traits.map { ", traits: [" + $0.map { "\"\($0)\"" }.joined(separator: ", ") + "]" } ?? ""
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "Consumer",
                platforms: [.macOS(.v15)],
                dependencies: [.package(name: "Wharf", path: "\(root.path)"\(list))],
                targets: [
                    .target(
                        name: "Consumer", dependencies: [.product(name: "\(product)", package: "Wharf")],
                        swiftSettings: [
                            .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
                        ]
                    )
                ]
            )
            """
        try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift"))
        try Data((code ?? "import \(product)\n").utf8).write(to: sources.appending(path: "Consumer.swift"))
    }

    public func remove() { removeScratch(folder) }

    /// The identities of the packages that SwiftPM resolves. Packages on disk, which are this one
    /// and Wharf, are excluded, as their identity is the name of their folder.
    public func resolved() throws -> Set<String> {
        let arguments = ["package"] + options + ["show-dependencies", "--format", "json"]
        let root = try JSONDecoder().decode(Node.self, from: SwiftCommand.output(of: arguments))
        return root.identities
    }

    /// Builds for debugging, and returns the compiled Swift modules except this package's own.
    public func compiled() throws -> Set<String> {
        // No test reads an index, and writing one takes a third of a build.
        _ = try SwiftCommand.output(of: ["build", "--disable-index-store"] + options)
        let manifest = try String(contentsOf: builds.appending(path: "debug.yaml"), encoding: .utf8)
        return BuildPlan(manifest: manifest).modules(for: "Consumer").subtracting(["Consumer"])
    }

    /// Returns the Swift modules whose files a build has produced. Call ``compiled()`` first. The
    /// build folder must not be shared.
    public func left() throws -> Set<String> {
        let modules = try FileManager.default.contentsOfDirectory(
            atPath: builds.appending(path: "debug/Modules").path)
        let names = modules.filter { $0.hasSuffix(".swiftmodule") }.map { $0.dropLast(".swiftmodule".count) }
        return Set(names.map(String.init)).subtracting(["Consumer"])
    }

    private var options: [String] { ["--package-path", folder.path, "--scratch-path", builds.path] }

    private struct Node: Decodable {
        let identity: String
        let version: String
        let dependencies: [Node]

        var identities: Set<String> {
            dependencies.reduce(version == "unspecified" ? [] : [identity]) { $0.union($1.identities) }
        }
    }
}
