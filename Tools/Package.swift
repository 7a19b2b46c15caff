// swift-tools-version: 6.2

import PackageDescription

// CI sets it and builds in `.build/quick`. Wharf's manifest reads it too, in place of traits.
let sharesBuild = Context.environment["WHARF_TRAITS"] != nil

let package = Package(
    name: "WharfTools",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "wharf", targets: ["WharfTool"]),
        .executable(name: "annotate-git-commit", targets: ["AnnotateGitCommitTool"]),
    ],
    dependencies: [
        // `wharf serve` needs TestServer. AsyncHTTPClient is the transport for servers.
        .package(
            name: "Wharf", path: "..",
            traits: sharesBuild ? [] : ["SQLite", "TestServer", "Server"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // The `wharf` command does not use it; its tests do.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // Makes Swift types from samples, for `wharf generate`.
        .target(name: "WharfGenerate", dependencies: [.product(name: "WharfJSON", package: "Wharf")]),
        .testTarget(
            name: "WharfGenerateTests",
            dependencies: [
                "WharfGenerate",
                .product(name: "WharfJSON", package: "Wharf"),
                // The tests compile generated types against it.
                .product(name: "WharfJSONFoundation", package: "Wharf"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        .target(
            name: "WharfCommand",
            dependencies: [
                "WharfGenerate",
                .product(name: "Wharf", package: "Wharf"),
                .product(name: "WharfGateway", package: "Wharf"),
                .product(name: "WharfServer", package: "Wharf"),
                .product(name: "WharfFaults", package: "Wharf"),
                .product(name: "WharfRecorder", package: "Wharf"),
                .product(name: "WharfGraphQL", package: "Wharf"),
                .product(name: "WharfTestServer", package: "Wharf"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                // Timeouts and connections of the gateway.
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        // The target is not called `wharf`: on a case-insensitive file system its module would
        // collide with the library's.
        .executableTarget(name: "WharfTool", dependencies: ["WharfCommand"]),
        .testTarget(
            name: "WharfCommandTests",
            dependencies: [
                "WharfCommand", "WharfTool",
                .product(name: "Wharf", package: "Wharf"),
                .product(name: "WharfChecks", package: "Wharf"),
                .product(name: "WharfFakes", package: "Wharf"),
                .product(name: "WharfFaults", package: "Wharf"),
                .product(name: "WharfTestServer", package: "Wharf"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]
        ),
        // Does not depend on Wharf: git waits for the tool, twice per commit.
        .target(
            name: "AnnotateGitCommit",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]
        ),
        // The hook runs at each commit, and a static executable starts several times as fast as a
        // dynamic one. The toolchain's Foundation consists of these two libraries, and
        // ArgumentParser uses a little of it.
        .executableTarget(
            name: "AnnotateGitCommitTool", dependencies: ["AnnotateGitCommit"],
            linkerSettings: [
                .unsafeFlags(
                    ["-static-executable", "-l_FoundationCollections", "-l_FoundationCShims"],
                    .when(platforms: [.linux], configuration: .release))
            ]),
        .testTarget(
            name: "AnnotateGitCommitTests",
            dependencies: [
                "AnnotateGitCommit", "AnnotateGitCommitTool",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// CI sets it. For other builds a newer compiler's warnings must not be errors.
let warningsAreErrors = Context.environment["WHARF_CI"] != nil

for target in package.targets {
    var settings = target.swiftSettings ?? []
    for feature in [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances", "ImmutableWeakCaptures",
    ] {
        settings.append(.enableUpcomingFeature(feature))
    }
    if warningsAreErrors {
        settings.append(.treatAllWarnings(as: .error))
    }
    target.swiftSettings = settings
}
