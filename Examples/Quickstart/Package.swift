// swift-tools-version: 6.2

import PackageDescription

// CI sets it and builds in `.build/quick`. Wharf's manifest reads it too, in place of traits.
let sharesBuild = Context.environment["WHARF_TRAITS"] != nil

let package = Package(
    name: "Quickstart",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Wharf", path: "../..", traits: sharesBuild ? [] : ["SQLite", "TestServer"]),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        // Subprocess names executables by FilePath, which some SDKs lack.
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    ],
    targets: [
        .target(
            name: "Demo",
            dependencies: [
                .product(name: "Wharf", package: "Wharf"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ]
        ),
        .executableTarget(name: "Quickstart", dependencies: ["Demo"]),
        // A list over a repository whose values become stale and fresh again: `make list`.
        .target(
            name: "FilmList",
            dependencies: [
                .product(name: "Wharf", package: "Wharf"), .product(name: "WharfPresentation", package: "Wharf"),
            ]
        ),
        .executableTarget(name: "Listing", dependencies: ["FilmList", .product(name: "Wharf", package: "Wharf")]),
        .executableTarget(name: "Origin", dependencies: [.product(name: "WharfTestServer", package: "Wharf")]),
        .testTarget(
            name: "DemoTests", dependencies: ["Demo", "Origin", .product(name: "Wharf", package: "Wharf")]
        ),
        .testTarget(name: "FilmListTests", dependencies: ["FilmList", .product(name: "Wharf", package: "Wharf")]),
    ],
    swiftLanguageModes: [.v6]
)

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
