// swift-tools-version: 6.2

import PackageDescription

// CI sets it and builds in `.build/quick`. Wharf's manifest reads it too, in place of traits.
let sharesBuild = Context.environment["WHARF_TRAITS"] != nil

let package = Package(
    name: "Tracker",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Wharf", path: "../..", traits: sharesBuild ? [] : ["SQLite", "TestServer"])
    ],
    targets: [
        .target(
            name: "Tracker",
            dependencies: [
                .product(name: "Wharf", package: "Wharf"), .product(name: "WharfAnalytics", package: "Wharf"),
            ]
        ),
        // An issue tracker on the loopback interface, for the demo and the tests.
        .target(
            name: "TrackerService",
            dependencies: [
                "Tracker", .product(name: "Wharf", package: "Wharf"),
                .product(name: "WharfTestServer", package: "Wharf"),
            ]
        ),
        .executableTarget(
            name: "TrackerDemo",
            dependencies: ["Tracker", "TrackerService", .product(name: "Wharf", package: "Wharf")]
        ),
        .testTarget(
            name: "TrackerTests",
            dependencies: ["Tracker", "TrackerService", .product(name: "Wharf", package: "Wharf")]
        ),
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
