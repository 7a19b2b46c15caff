// swift-tools-version: 6.2

import PackageDescription

// CI sets it and builds in `.build/quick`. Wharf's manifest reads it too, in place of traits.
let sharesBuild = Context.environment["WHARF_TRAITS"] != nil

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Wharf", path: "..", traits: sharesBuild ? [] : ["SQLite", "TestServer"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Its default traits preload two libraries that count allocations and distort the times.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "Comparisons"),
        .target(name: "Turns", dependencies: ["Comparisons", .product(name: "Benchmark", package: "benchmark")]),
        .target(
            name: "Fixtures",
            dependencies: [
                "Comparisons",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "WharfCore", package: "Wharf"),
                .product(name: "WharfCache", package: "Wharf"),
                .product(name: "WharfJSON", package: "Wharf"),
                .product(name: "WharfHTTP", package: "Wharf"),
                .product(name: "WharfSQLite", package: "Wharf"),
            ]
        ),
        .executableTarget(name: "Fill", dependencies: ["Fixtures", .product(name: "WharfSQLite", package: "Wharf")]),
        // `swift package benchmark` runs the executables directly in a folder named Benchmarks:
        // only these four.
        .executableTarget(
            name: "Reads",
            dependencies: [
                "Comparisons", "Fixtures", "Turns",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "WharfCore", package: "Wharf"),
                .product(name: "WharfCache", package: "Wharf"),
                .product(name: "WharfPresentation", package: "Wharf"),
                .product(name: "WharfRepository", package: "Wharf"),
                .product(name: "WharfSQLite", package: "Wharf"),
                .product(name: "WharfStores", package: "Wharf"),
            ],
            path: "Reads",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "Decodes",
            dependencies: [
                "Comparisons", "Turns",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "WharfCheck", package: "Wharf"),
                .product(name: "WharfJSON", package: "Wharf"),
            ],
            path: "Decodes",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "Lists",
            dependencies: [
                "Comparisons", "Turns",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "WharfPresentation", package: "Wharf"),
            ],
            path: "Lists",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "Outbox",
            dependencies: [
                "Comparisons", "Fixtures", "Turns",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "WharfCore", package: "Wharf"),
                .product(name: "WharfOutbox", package: "Wharf"),
                .product(name: "WharfSQLite", package: "Wharf"),
            ],
            path: "Outbox",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // Its folder Payloads is a symbolic link to that of Decodes.
        .executableTarget(
            name: "Growth",
            dependencies: [
                "Fixtures",
                .product(name: "WharfCore", package: "Wharf"),
                .product(name: "WharfJSON", package: "Wharf"),
                .product(name: "WharfOutbox", package: "Wharf"),
                .product(name: "WharfSQLite", package: "Wharf"),
            ],
            path: "Growth"
        ),
        .executableTarget(name: "Ratios", dependencies: ["Comparisons"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    var settings = target.swiftSettings ?? []
    for feature in [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances", "ImmutableWeakCaptures",
    ] {
        settings.append(.enableUpcomingFeature(feature))
    }
    target.swiftSettings = settings
}
