// swift-tools-version: 6.2

import PackageDescription

// A type check of the adapters to UIKit, SwiftUI, AVFoundation and AVKit for platforms without
// those frameworks. The modules of these names in StandIns have the declarations that the adapters
// use, as Apple documents them, without behaviour. If an adapter compiles here, it uses existing
// declarations with their types and isolation. The behaviour of a table on a screen is not tested.
// On macOS the root package compiles the adapters with the real SwiftUI, and this package is not
// needed.
//
// It is a package of its own, because `canImport` is true once a module of such a name is built.
let package = Package(
    name: "AppleAdapterTypeCheck",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: [])],
    targets: [
        .target(name: "UIKit", path: "StandIns/UIKit"),
        .target(name: "SwiftUI", dependencies: ["UIKit"], path: "StandIns/SwiftUI"),
        .target(name: "AVFoundation", path: "StandIns/AVFoundation"),
        .target(name: "AVKit", dependencies: ["UIKit"], path: "StandIns/AVKit"),
        // Symbolic links to the folders of the root package. A dependency on its manifest would add
        // all dependencies of Wharf.
        .target(name: "WharfErrors", path: "Sources/WharfErrors"),
        .target(name: "WharfPrimitives", path: "Sources/WharfPrimitives"),
        .target(
            name: "WharfCore",
            dependencies: ["WharfErrors", "WharfPrimitives", .product(name: "HTTPTypes", package: "swift-http-types")],
            path: "Sources/WharfCore"),
        .target(
            name: "WharfPresentation", dependencies: ["WharfCore", "WharfPrimitives", "UIKit", "SwiftUI"],
            path: "Sources/WharfPresentation"),
        .target(
            name: "WharfPlayback", dependencies: ["WharfCore", "WharfPrimitives", "AVFoundation", "AVKit", "UIKit"],
            path: "Sources/WharfPlayback"),
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                "WharfCore", "WharfPresentation", "WharfPlayback", "UIKit", "SwiftUI", "AVFoundation", "AVKit",
            ],
            // Otherwise the compiler would look for the overlay module of the real UIKit and
            // Testing.
            swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]
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
