// swift-tools-version: 6.2

import PackageDescription

// A type check of the adapters to UIKit, SwiftUI, AVFoundation and AVKit where those frameworks are
// not, and nothing more: the modules of these names in StandIns have the declarations which the
// adapters use, as Apple documents them, and no behaviour. That an adapter compiles here says that
// it calls what there is, with the types and the isolation that it has; what a table does on a
// screen, no test of this package knows. On macOS the root package compiles the adapters to the
// real SwiftUI; nothing here is needed there.
//
// A package of its own, because where a module of such a name has been built `canImport` is true.
let package = Package(
    name: "AppleAdapterTypeCheck",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: [])],
    targets: [
        .target(name: "UIKit", path: "StandIns/UIKit"),
        .target(name: "SwiftUI", dependencies: ["UIKit"], path: "StandIns/SwiftUI"),
        .target(name: "AVFoundation", path: "StandIns/AVFoundation"),
        .target(name: "AVKit", dependencies: ["UIKit"], path: "StandIns/AVKit"),
        // Links to the folders of the root package: its own manifest would bring along all that
        // Wharf depends on.
        .target(name: "WharfPrimitives", path: "Sources/WharfPrimitives"),
        .target(
            name: "WharfCore",
            dependencies: ["WharfPrimitives", .product(name: "HTTPTypes", package: "swift-http-types")],
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
            // The compiler would look for a module that brings the true UIKit and Testing together.
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
