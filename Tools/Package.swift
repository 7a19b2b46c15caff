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
        // TestServer: `wharf serve` is made of it. AsyncHTTPClient: it is the transport for
        // servers.
        .package(
            name: "Wharf", path: "..",
            traits: sharesBuild ? [] : ["SQLite", "TestServer", "AsyncHTTPClient"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Of wharf, for the tests alone.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // Types made of samples: what `wharf generate` writes.
        .target(name: "WharfGenerate", dependencies: [.product(name: "WharfJSON", package: "Wharf")]),
        .testTarget(
            name: "WharfGenerateTests",
            dependencies: [
                "WharfGenerate",
                .product(name: "WharfJSON", package: "Wharf"),
                // What generated types are compiled with.
                .product(name: "WharfJSONFoundation", package: "Wharf"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        .target(
            name: "WharfCommand",
            dependencies: [
                "WharfGenerate",
                .product(name: "Wharf", package: "Wharf"),
                .product(name: "WharfAsyncHTTPClient", package: "Wharf"),
                .product(name: "WharfFaults", package: "Wharf"),
                .product(name: "WharfGraphQL", package: "Wharf"),
                .product(name: "WharfTestServer", package: "Wharf"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // Not called `wharf`: on a file system that ignores case its module would be taken for the
        // library's.
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
        // Nothing of Wharf's: git waits for it, twice with each commit.
        .target(
            name: "AnnotateGitCommit",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]
        ),
        // A hook runs at each commit, and one file starts several times as fast as one that looks
        // for its libraries. The two libraries are what the toolchain's Foundation is made of,
        // which ArgumentParser takes a little of.
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

// CI sets it. A newer compiler's warnings must not stop anybody else's build.
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
