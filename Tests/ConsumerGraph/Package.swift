// swift-tools-version: 6.2

import PackageDescription

// Wharf seen from outside: the imports of its targets, and the packages that a user of Wharf
// resolves and compiles.
let package = Package(
    name: "ConsumerGraph",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "ConsumerGraph"),
        .testTarget(name: "ConsumerGraphTests", dependencies: ["ConsumerGraph"]),
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
