// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// The targets that the manifest keeps, separated by commas; nil for all of them.
let onlyTargets = Context.environment["WHARF_ONLY"]

/// The traits of a build in `.build/quick`, separated by commas. SwiftPM itself gets no traits.
///
/// SwiftPM passes each trait to all modules of a package as a flag. The order of these flags
/// differs between a root package and a dependency. A changed set or order of flags recompiles
/// every module.
///
/// With this variable the order is the one in the Makefile. Only targets that use a heavy package
/// get the flag of its trait. All builds in that folder then share the other modules.
let builtTraits = (Context.environment["WHARF_TRAITS"] ?? "").split(separator: ",").map(String.init)

/// The libraries of each heavy trait. Only they and their tests check the trait with `#if`.
let libraries: [String: Set<String>] = [
    "Cast": ["WharfCast"], "Encryption": ["WharfStores"], "OpenCombine": ["WharfCombine"],
    "Server": ["WharfGateway", "WharfServer"],
]

// Apple's platforms have Combine itself.
#if os(macOS)
let traitsOfCombineTests: Set<String> = []
#else
let traitsOfCombineTests: Set<String> = ["OpenCombine"]
#endif

/// The targets of Tests that are complete only with some traits, and those traits.
///
/// A build without one of the traits lacks the target, so its files need no `#if`. SwiftPM does not
/// tell the manifest the traits of a build. They are those in `WHARF_TRAITS`, and `swift test`
/// alone has none of them. If `WHARF_ONLY` is set, it alone selects the targets. Every build of
/// tests has the default trait.
let traitsOfTests: [String: Set<String>] = [
    "CacheProbe": ["KillHarness"], "DataProbe": ["KillHarness"], "OutboxProbe": ["KillHarness"],
    "StackProbe": ["KillHarness"],
    "WharfAnalyticsTests": ["TestServer"],
    "WharfCastTests": ["Cast"],
    "WharfCombineTests": traitsOfCombineTests,
    "WharfFaultsTests": ["TestServer"],
    "WharfGatewayTests": ["Server", "TestServer"],
    "WharfHTTPTests": ["TestServer"],
    "WharfMacrosTests": ["Macros"],
    "WharfServerTests": ["Server", "TestServer"],
    "WharfTestServerTests": ["TestServer"],
    "WharfTests": ["KillHarness", "TestServer"],
    "WharfURLSessionTests": ["TestServer"],
]

/// Returns the condition of a dependency that is compiled only with a trait.
func trait(_ name: String, on platforms: [Platform] = []) -> TargetDependencyCondition? {
    switch (builtTraits.contains(name), platforms.isEmpty) {
    case (true, true): nil
    case (true, false): .when(platforms: platforms)
    case (false, true): .when(traits: [name])
    case (false, false): .when(platforms: platforms, traits: [name])
    }
}

/// Returns a product of swift-syntax.
func syntax(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-syntax", condition: trait("Macros"))
}

/// Returns a product of AsyncHTTPClient, or of a package that its certificate pinning needs.
func nio(_ product: String, _ package: String = "swift-nio") -> Target.Dependency {
    .product(name: product, package: package, condition: trait("Server"))
}

/// Returns a product of SwiftNIO, for Google Cast receivers.
func cast(_ product: String, _ package: String = "swift-nio") -> Target.Dependency {
    .product(name: product, package: package, condition: trait("Cast"))
}

/// Returns a product for reports of an outbox or a cache to swift-metrics and
/// swift-distributed-tracing.
func observability(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: trait("Server"))
}

/// Returns a product for an outbox or a gateway in a service group.
func lifecycle(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-service-lifecycle", condition: trait("Server"))
}

// Apps for Apple's platforms are built on macOS. On other hosts the privacy manifest has no use,
// and the code that SwiftPM generates for a resource would need Foundation.
#if os(macOS)
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let withoutPrivacyManifest: [String] = []
#else
let privacyManifest: [Resource] = []
let withoutPrivacyManifest = ["PrivacyInfo.xcprivacy"]
#endif

/// The platforms with URLSession.
///
/// On Linux it would link FoundationNetworking, so libcurl is used there.
let applePlatforms: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS]

/// The rooms of Sources and Tests, each with its targets. ARCHITECTURE.md names the purposes.
///
/// The tests of a target lie in the room of the target.
let rooms = [
    "Contracts": ["WharfPrimitives", "WharfCore", "WharfStorage"],
    "Decoding": ["WharfErrors", "WharfJSON", "WharfJSONFoundation", "WharfCheck", "WharfMacros", "WharfMacrosPlugin"],
    "Network": [
        "WharfHTTP", "WharfGraphQL", "WharfGraphQLClient", "WharfCache", "WharfContentCoding", "CContentCoding",
        "WharfCurl", "CCurl", "WharfURLSession",
    ],
    "Data": ["WharfRepository", "WharfOutbox", "WharfSQLite", "WharfStores", "WharfCombine"],
    "Delivery": ["WharfAnalytics", "WharfMessaging", "WharfSMTP"],
    "Presentation": ["WharfPresentation", "WharfPlayback", "WharfScreens", "WharfCast", "WharfDLNA"],
    "TestKit": [
        "WharfChecks", "WharfRandom", "WharfFakes", "WharfFaults", "WharfRecording", "WharfKillHarness",
        "WharfTestServer", "WharfCoreLaws", "WharfHTTPLaws", "WharfJSONFakes", "WharfJSONLaws",
        "WharfAnalyticsFakes", "WharfAnalyticsLaws", "WharfMessagingFakes", "WharfMessagingLaws", "WharfPlaybackFakes",
        "WharfPlaybackLaws", "WharfPresentationLaws",
    ],
    "Composition": ["Wharf", "WharfDependencies", "WharfGateway", "WharfServer"],
]

let package = Package(
    name: "Wharf",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Wharf", targets: ["Wharf"]),
        .library(name: "WharfCore", targets: ["WharfCore"]),
        .library(name: "WharfStorage", targets: ["WharfStorage"]),
        .library(name: "WharfJSON", targets: ["WharfJSON"]),
        .library(name: "WharfJSONFoundation", targets: ["WharfJSONFoundation"]),
        .library(name: "WharfCheck", targets: ["WharfCheck"]),
        .library(name: "WharfGraphQL", targets: ["WharfGraphQL"]),
        .library(name: "WharfGraphQLClient", targets: ["WharfGraphQLClient"]),
        .library(name: "WharfDependencies", targets: ["WharfDependencies"]),
        .library(name: "WharfMacros", targets: ["WharfMacros"]),
        .library(name: "WharfHTTP", targets: ["WharfHTTP"]),
        .library(name: "WharfURLSession", targets: ["WharfURLSession"]),
        .library(name: "WharfCurl", targets: ["WharfCurl", "WharfContentCoding"]),
        .library(name: "WharfCache", targets: ["WharfCache"]),
        .library(name: "WharfSQLite", targets: ["WharfSQLite"]),
        .library(name: "WharfStores", targets: ["WharfStores"]),
        .library(name: "WharfRepository", targets: ["WharfRepository"]),
        .library(name: "WharfOutbox", targets: ["WharfOutbox"]),
        .library(name: "WharfServer", targets: ["WharfServer", "WharfContentCoding"]),
        .library(name: "WharfGateway", targets: ["WharfGateway"]),
        .library(name: "WharfAnalytics", targets: ["WharfAnalytics"]),
        .library(name: "WharfCombine", targets: ["WharfCombine"]),
        .library(name: "WharfPresentation", targets: ["WharfPresentation"]),
        .library(name: "WharfPlayback", targets: ["WharfPlayback"]),
        .library(name: "WharfScreens", targets: ["WharfScreens"]),
        .library(name: "WharfDLNA", targets: ["WharfDLNA"]),
        .library(name: "WharfCast", targets: ["WharfCast"]),
        .library(name: "WharfMessaging", targets: ["WharfMessaging"]),
        .library(name: "WharfSMTP", targets: ["WharfSMTP"]),
        // The test kit. A product has the modules that a user needs together; a law suite is run by
        // WharfChecks. A library outside of `Wharf` has its fakes and laws in its product
        // `…Testing`.
        .library(name: "WharfChecks", targets: ["WharfChecks", "WharfRandom"]),
        .library(name: "WharfFakes", targets: ["WharfFakes", "WharfJSONFakes", "WharfRandom"]),
        .library(name: "WharfLaws", targets: ["WharfChecks", "WharfCoreLaws", "WharfHTTPLaws", "WharfJSONLaws"]),
        .library(name: "WharfAnalyticsTesting", targets: ["WharfChecks", "WharfAnalyticsFakes", "WharfAnalyticsLaws"]),
        .library(name: "WharfMessagingTesting", targets: ["WharfChecks", "WharfMessagingFakes", "WharfMessagingLaws"]),
        .library(name: "WharfPlaybackTesting", targets: ["WharfChecks", "WharfPlaybackFakes", "WharfPlaybackLaws"]),
        .library(name: "WharfPresentationTesting", targets: ["WharfChecks", "WharfPresentationLaws"]),
        .library(name: "WharfFaults", targets: ["WharfFaults"]),
        // A test needs WharfChecks to fail; a program must not link it, as it links XCTest.
        .library(name: "WharfRecording", targets: ["WharfRecording", "WharfChecks"]),
        .library(name: "WharfRecorder", targets: ["WharfRecording"]),
        .library(name: "WharfKillHarness", targets: ["WharfKillHarness"]),
        .library(name: "WharfTestServer", targets: ["WharfTestServer"]),
    ],
    traits: [
        .trait(
            name: "SQLite",
            description: "The durable cache on GRDB (WharfSQLite). Without it responses are kept in memory only."),
        .trait(name: "Cast", description: "A second screen: Google Cast receivers, on SwiftNIO (WharfCast)."),
        .trait(name: "Sendmail", description: "E-mail by the program sendmail, on swift-subprocess (WharfMessaging)."),
        .trait(name: "TestServer", description: "The loopback origin on FlyingSocks (WharfTestServer)."),
        .trait(name: "KillHarness", description: "Child processes to kill, on swift-subprocess (WharfKillHarness)."),
        .trait(
            name: "Encryption", description: "Values encrypted by swift-crypto before they are stored (WharfStores)."),
        .trait(name: "OpenCombine", description: "Publishers where Combine is not, on OpenCombine (WharfCombine)."),
        .trait(name: "Macros", description: "Code that the compiler writes, on swift-syntax (WharfMacros)."),
        .trait(
            name: "Server",
            description:
                "For services: a transport on AsyncHTTPClient, metrics and spans of the outbox, and an outbox in "
                + "a group of services (WharfServer); the HTTP cache as a reverse proxy (WharfGateway)."),
        .trait(
            name: "Testing", description: "For test targets: TestServer and KillHarness.",
            enabledTraits: ["TestServer", "KillHarness"]),
        .default(enabledTraits: ["SQLite"]),
    ],
    dependencies: [
        // The default trait links Foundation, which WharfCore must not do. swift-nio-extras enables
        // that trait, so all builds in `.build/quick` enable it. Otherwise the heavy build would
        // recompile HTTPTypes with another flag, and every module that imports it.
        .package(
            url: "https://github.com/apple/swift-http-types", from: "1.8.0",
            traits: builtTraits.isEmpty ? [] : [.defaults]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The range is wide because all packages of an app must agree on one version.
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // The range is wide because all macros of an app must agree on one version.
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
    ],
    targets: [
        // Helpers that several modules share. They have package access, so there is no product.
        .target(name: "WharfPrimitives"),
        // The shape of all errors, without an import. The modules that throw such errors re-export
        // it, so there is no product. It lies beside WharfJSON, because `wharf check` and the
        // fuzzer compile the modules of that folder.
        .target(name: "WharfErrors"),
        .target(
            name: "WharfCore",
            dependencies: ["WharfErrors", "WharfPrimitives", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        // Separate from WharfCore, so that an app does not see the names that only the authors of
        // stores and engines need.
        .target(name: "WharfStorage", dependencies: ["WharfCore", "WharfPrimitives"]),
        .target(name: "WharfJSON", dependencies: ["WharfErrors"]),
        .target(name: "WharfJSONFoundation", dependencies: ["WharfJSON"]),
        .target(name: "WharfCheck", dependencies: ["WharfJSON", "WharfJSONFoundation"]),
        .target(name: "WharfGraphQL", dependencies: ["WharfErrors"]),
        .target(name: "WharfDependencies", dependencies: ["WharfErrors"]),
        .target(
            name: "WharfMacros",
            dependencies: ["WharfJSON", .target(name: "WharfMacrosPlugin", condition: trait("Macros"))]
        ),
        .macro(
            name: "WharfMacrosPlugin",
            dependencies: ["SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser"].map(syntax)
                + ["SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros"].map(syntax)
        ),
        .target(
            name: "WharfHTTP",
            dependencies: [
                "WharfCore", "WharfJSON", "WharfJSONFoundation", "WharfPrimitives",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: withoutPrivacyManifest, resources: privacyManifest
        ),
        // Separate from WharfHTTP, so that only apps that use GraphQL compile the parser.
        .target(
            name: "WharfGraphQLClient",
            dependencies: ["WharfCore", "WharfGraphQL", "WharfHTTP", "WharfJSON", "WharfJSONFoundation"]
        ),
        .target(name: "WharfURLSession", dependencies: ["WharfCore", "WharfHTTP", "WharfPrimitives"]),
        // The system's zlib and libcurl. If their headers are missing, the compiler's error names
        // the packages that have them.
        .target(name: "CContentCoding", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "WharfContentCoding", dependencies: ["WharfCore", "CContentCoding"]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
        .target(
            name: "WharfCurl",
            dependencies: [
                "WharfCore", "WharfPrimitives", .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "WharfContentCoding", condition: .when(platforms: [.linux])),
            ]
        ),
        .target(name: "WharfCache", dependencies: ["WharfCore", "WharfStorage", "WharfPrimitives"]),
        .target(
            name: "WharfSQLite",
            dependencies: [
                "WharfCore", "WharfStorage", "WharfPrimitives",
                .product(name: "GRDB", package: "GRDB.swift", condition: trait("SQLite")),
                // The C API of SQLite, to read and bind blobs without Foundation's Data.
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: trait("SQLite")),
            ],
            exclude: withoutPrivacyManifest, resources: privacyManifest
        ),
        .target(
            name: "WharfStores",
            dependencies: [
                "WharfCore", "WharfStorage", "WharfPrimitives",
                .product(name: "Crypto", package: "swift-crypto", condition: trait("Encryption")),
            ],
            exclude: withoutPrivacyManifest, resources: privacyManifest
        ),
        .target(name: "WharfRepository", dependencies: ["WharfCore", "WharfStorage", "WharfPrimitives"]),
        .target(name: "WharfOutbox", dependencies: ["WharfCore", "WharfStorage", "WharfPrimitives"]),
        .target(
            name: "WharfAnalytics",
            dependencies: ["WharfContentCoding", "WharfCore", "WharfStorage", "WharfJSON", "WharfPrimitives"]
        ),
        .target(
            name: "WharfCombine",
            dependencies: [
                "WharfCore",
                // Apple's platforms have Combine itself.
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: trait("OpenCombine", on: [.linux])),
            ]
        ),
        .target(
            name: "Wharf",
            dependencies: [
                "WharfCore", "WharfStorage", "WharfJSON", "WharfJSONFoundation", "WharfHTTP", "WharfCache",
                "WharfStores",
                "WharfRepository", "WharfOutbox",
                .target(name: "WharfSQLite", condition: trait("SQLite")),
                .target(name: "WharfURLSession", condition: .when(platforms: applePlatforms)),
                .target(name: "WharfCurl", condition: .when(platforms: [.linux])),
                .target(name: "WharfContentCoding", condition: .when(platforms: [.linux])),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // For services alone: an app on a device links none of it.
        .target(
            name: "WharfServer",
            dependencies: [
                .target(name: "WharfCache", condition: trait("Server")),
                .target(name: "WharfContentCoding", condition: trait("Server")), "WharfCore", "WharfStorage",
                "WharfOutbox", nio("AsyncHTTPClient", "async-http-client"), nio("NIOCore"), nio("NIOPosix"),
                nio("NIOHTTP1"),
                nio("NIOHTTP2", "swift-nio-http2"), nio("NIOSSL", "swift-nio-ssl"), nio("Crypto", "swift-crypto"),
                observability("CoreMetrics", "swift-metrics"), observability("Tracing", "swift-distributed-tracing"),
                lifecycle("ServiceLifecycle"),
            ]
        ),
        // Separate from WharfServer, whose users need no server, and over any transport.
        .target(
            name: "WharfGateway",
            dependencies: [
                "WharfCache", "WharfCore", "WharfJSON", "WharfPrimitives", "WharfStorage",
                .target(name: "WharfContentCoding", condition: trait("Server")), nio("NIOCore"), nio("NIOPosix"),
                nio("NIOHTTP1"), nio("NIOTLS"), nio("NIOSSL", "swift-nio-ssl"), nio("NIOHTTP2", "swift-nio-http2"),
                lifecycle("ServiceLifecycle"),
            ]
        ),
        .target(name: "WharfPresentation", dependencies: ["WharfCore", "WharfPrimitives"]),
        .target(name: "WharfPlayback", dependencies: ["WharfCore", "WharfPrimitives"]),
        .target(name: "WharfScreens", dependencies: ["WharfCore", "WharfJSON", "WharfPlayback", "WharfPrimitives"]),
        .target(name: "WharfDLNA", dependencies: ["WharfCore", "WharfPlayback", "WharfPrimitives"]),
        .target(
            name: "WharfCast",
            dependencies: [
                "WharfJSON", "WharfPlayback", "WharfPrimitives", cast("NIOCore"), cast("NIOPosix"),
                cast("NIOSSL", "swift-nio-ssl"),
            ]
        ),
        .target(
            name: "WharfMessaging",
            dependencies: [
                "WharfCore", "WharfStorage", "WharfJSON", "WharfPrimitives",
                .product(name: "Subprocess", package: "swift-subprocess", condition: trait("Sendmail")),
                // Apple's platforms have the System module.
                .product(
                    name: "SystemPackage", package: "swift-system",
                    condition: trait("Sendmail", on: [.linux])),
            ]
        ),
        // Separate from WharfMessaging, so that an app that uses only gateways does not link
        // libcurl for SMTP.
        .target(
            name: "WharfSMTP",
            dependencies: [
                "WharfCore", "WharfMessaging", "WharfPrimitives",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ]
        ),
        .target(name: "WharfRandom"),
        .target(name: "WharfFaults", dependencies: ["WharfCore", "WharfRandom"]),

        // The test kit. A test target depends only on the modules that it needs, so a leak check
        // compiles neither HTTP nor JSON.
        .target(
            name: "WharfChecks", dependencies: ["WharfDependencies", "WharfErrors", "WharfPrimitives", "WharfRandom"]),
        // Previews use the fakes, so these targets import neither XCTest nor Testing.
        .target(name: "WharfFakes", dependencies: ["WharfCore", "WharfStorage", "WharfPrimitives", "WharfRandom"]),
        .target(name: "WharfJSONFakes", dependencies: ["WharfCore", "WharfJSON"]),
        .target(name: "WharfAnalyticsFakes", dependencies: ["WharfAnalytics", "WharfCore", "WharfFakes"]),
        .target(name: "WharfMessagingFakes", dependencies: ["WharfCore", "WharfFakes", "WharfMessaging"]),
        .target(name: "WharfPlaybackFakes", dependencies: ["WharfFakes", "WharfPlayback"]),
        .target(
            name: "WharfAnalyticsLaws",
            dependencies: ["WharfAnalytics", "WharfChecks", "WharfCore", "WharfJSON", "WharfRandom"]
        ),
        .target(
            name: "WharfCoreLaws",
            dependencies: ["WharfChecks", "WharfCore", "WharfStorage", "WharfFakes", "WharfRandom"]
        ),
        .target(name: "WharfHTTPLaws", dependencies: ["WharfChecks", "WharfCore", "WharfHTTP"]),
        .target(name: "WharfJSONLaws", dependencies: ["WharfChecks", "WharfJSON"]),
        .target(name: "WharfMessagingLaws", dependencies: ["WharfChecks", "WharfCore", "WharfMessaging"]),
        .target(
            name: "WharfPlaybackLaws",
            dependencies: ["WharfChecks", "WharfFakes", "WharfPlayback", "WharfPlaybackFakes"]
        ),
        .target(name: "WharfPresentationLaws", dependencies: ["WharfChecks", "WharfCore", "WharfPresentation"]),
        .target(
            name: "WharfRecording",
            dependencies: ["WharfCore", "WharfDependencies", "WharfFakes", "WharfJSON", "WharfPrimitives"]
        ),
        .target(
            name: "WharfKillHarness",
            dependencies: [
                .product(name: "Subprocess", package: "swift-subprocess", condition: trait("KillHarness"))
            ]
        ),
        .target(
            name: "WharfTestServer",
            dependencies: [
                "WharfCore", "WharfFaults", "WharfPrimitives",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: trait("TestServer")),
            ]
        ),

        // Probes for the tests. They have no products, so apps do not build them. In a nested
        // package they could not use `package` symbols.
        .executableTarget(
            name: "CacheProbe",
            dependencies: [
                "WharfCore", "WharfStorage", "WharfCache", "WharfSQLite", "WharfKillHarness", "WharfRandom",
            ],
            path: "Tests/Support/Probes/CacheProbe"
        ),
        .executableTarget(
            name: "CheckProbe", dependencies: ["WharfCheck"], path: "Tests/Support/Probes/CheckProbe"),
        .executableTarget(
            name: "DataProbe",
            dependencies: ["WharfCore", "WharfStorage", "WharfSQLite", "WharfKillHarness", "WharfRandom"],
            path: "Tests/Support/Probes/DataProbe"
        ),
        .executableTarget(
            name: "OutboxProbe",
            dependencies: [
                "LiveTransport", "WharfCore", "WharfStorage", "WharfHTTP", "WharfOutbox", "WharfSQLite",
                "WharfKillHarness",
            ],
            path: "Tests/Support/Probes/OutboxProbe"
        ),
        .executableTarget(
            name: "StackProbe", dependencies: ["Wharf", "WharfKillHarness"], path: "Tests/Support/Probes/StackProbe"),

        .target(
            name: "ChildPrograms", dependencies: [.product(name: "Subprocess", package: "swift-subprocess")],
            path: "Tests/Support/ChildPrograms"
        ),
        .target(name: "CompileChecks", dependencies: ["ChildPrograms"], path: "Tests/Support/CompileChecks"),
        .target(
            name: "LiveTransport",
            dependencies: [
                "WharfCore", .target(name: "WharfURLSession", condition: .when(platforms: applePlatforms)),
                .target(name: "WharfCurl", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/Support/LiveTransport"
        ),
        .target(
            name: "TransportStages",
            dependencies: [
                "WharfCache", "WharfCore", "WharfChecks", "WharfCoreLaws", "WharfFakes", "WharfTestServer",
            ],
            path: "Tests/Support/TransportStages"
        ),

        .target(
            name: "ContentEncoders", path: "Tests/Support/ContentEncoders",
            linkerSettings: [.linkedLibrary("z"), .linkedLibrary("dl", .when(platforms: [.linux]))]
        ),

        .target(name: "Simulation", dependencies: ["WharfRandom"], path: "Tests/Support/Simulation"),
        .target(name: "TestCertificates", path: "Tests/Support/TestCertificates"),
        .testTarget(
            name: "WharfErrorsTests",
            dependencies: ["WharfErrors", "WharfChecks", "WharfCore", "WharfDependencies", "WharfGraphQL", "WharfJSON"]
        ),
        .testTarget(
            name: "WharfPrimitivesTests",
            dependencies: ["WharfPrimitives", "WharfChecks", "WharfRandom", "Simulation"]
        ),
        .testTarget(
            name: "WharfCoreTests",
            dependencies: [
                "WharfCore", "WharfChecks", "WharfCoreLaws", "WharfFakes", "WharfPrimitives", "WharfRandom",
                "Simulation",
            ]
        ),
        .testTarget(
            name: "WharfStorageTests",
            dependencies: ["WharfStorage", "WharfChecks", "WharfCore", "WharfCoreLaws", "WharfPrimitives"]
        ),
        .testTarget(name: "WharfJSONTests", dependencies: ["WharfJSON", "WharfChecks", "WharfRandom"]),
        .testTarget(
            name: "WharfJSONFoundationTests",
            dependencies: ["WharfJSON", "WharfJSONFoundation", "WharfRandom"]
        ),
        .testTarget(
            name: "WharfCheckTests",
            dependencies: [
                "WharfCheck", "WharfFaults", "WharfJSON", "WharfKillHarness", "ChildPrograms", "CheckProbe",
            ],
            // Python scripts that read the reports in tests.
            exclude: ["reports"]
        ),
        .testTarget(
            name: "WharfGraphQLTests",
            dependencies: ["WharfGraphQL", "WharfJSON", "WharfChecks", "ChildPrograms"],
            // A Python script for a test.
            exclude: ["graphqlcore"]
        ),
        .testTarget(
            name: "WharfDependenciesTests",
            dependencies: ["WharfDependencies", "WharfChecks", "ChildPrograms", "CompileChecks"],
            // These files have deliberate errors. The tests compile them and check the diagnostics.
            exclude: ["CompileTime/Fixtures"]
        ),
        .testTarget(
            name: "WharfMacrosTests",
            dependencies: ["WharfDependencies", "WharfJSON", "WharfMacros", "WharfMacrosPlugin", "WharfChecks"]
                + ["SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacroExpansion"].map(syntax)
                + ["SwiftSyntaxMacrosGenericTestSupport"].map(syntax)
        ),
        .testTarget(
            name: "WharfHTTPTests",
            dependencies: [
                "WharfCache", "WharfFaults", "WharfGraphQL", "WharfGraphQLClient", "WharfHTTP", "WharfJSON",
                "WharfJSONFoundation",
                "WharfChecks", "WharfCoreLaws", "WharfFakes", "WharfHTTPLaws", "WharfJSONFakes", "WharfRandom",
                "WharfTestServer", "LiveTransport", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "WharfURLSessionTests",
            dependencies: [
                "WharfChecks", "WharfCore", "WharfCoreLaws", "WharfFakes", "WharfFaults", "WharfHTTP", "WharfJSON",
                "WharfRandom", "WharfTestServer", "WharfURLSession", "TransportStages",
            ]
        ),
        .testTarget(
            name: "WharfTestServerTests",
            dependencies: [
                "WharfChecks", "WharfCore", "WharfFakes", "WharfTestServer", "LiveTransport", "TransportStages",
            ]
        ),
        .testTarget(
            name: "WharfServerTests",
            dependencies: [
                "WharfServer", "WharfCache", "WharfChecks", "WharfCore", "WharfStorage", "WharfCoreLaws", "WharfFakes",
                "WharfOutbox", "WharfStores",
                "WharfTestServer", "TestCertificates", "TransportStages",
                nio("AsyncHTTPClient", "async-http-client"), nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                nio("NIOTLS"), nio("NIOHTTPCompression", "swift-nio-extras"), nio("NIOSSL", "swift-nio-ssl"),
                observability("CoreMetrics", "swift-metrics"), observability("MetricsTestKit", "swift-metrics"),
                observability("Tracing", "swift-distributed-tracing"),
                observability("InMemoryTracing", "swift-distributed-tracing"), lifecycle("ServiceLifecycle"),
                lifecycle("ServiceLifecycleTestKit"),
            ]
        ),
        .testTarget(
            name: "WharfGatewayTests",
            dependencies: [
                "WharfGateway", "WharfCache", "WharfContentCoding", "WharfChecks", "WharfCore", "WharfFakes",
                "WharfPrimitives",
                "WharfServer", "WharfStorage", "WharfTestServer", "TestCertificates",
                nio("AsyncHTTPClient", "async-http-client"), nio("NIOCore"), nio("NIOEmbedded"), nio("NIOPosix"),
                nio("NIOHTTP1"), nio("NIOSSL", "swift-nio-ssl"), nio("NIOHTTP2", "swift-nio-http2"),
                lifecycle("ServiceLifecycle"),
                lifecycle("ServiceLifecycleTestKit"),
            ]
        ),
        .testTarget(
            name: "WharfContentCodingTests",
            dependencies: [
                "WharfContentCoding", "WharfChecks", "WharfCore", "WharfCoreLaws", "WharfRandom", "ContentEncoders",
            ]
        ),
        .testTarget(
            name: "WharfCurlTests",
            dependencies: [
                "WharfCurl", "WharfCache", "WharfContentCoding", "WharfChecks", "WharfCore", "WharfCoreLaws",
                "WharfFakes", "WharfFaults", "WharfRandom", "WharfTestServer", "TestCertificates", "TransportStages",
                "ChildPrograms",
            ],
            // Peers in Python for tests.
            exclude: ["python"]
        ),
        .testTarget(
            name: "WharfCacheTests",
            dependencies: [
                "WharfCache", "WharfStorage", "WharfPrimitives", "WharfChecks", "WharfCoreLaws", "WharfFakes",
                "WharfRandom",
            ]
        ),
        .testTarget(
            name: "WharfSQLiteTests",
            dependencies: [
                "WharfSQLite", "WharfStorage", "WharfCache", "WharfOutbox", "WharfStores", "WharfChecks",
                "WharfCoreLaws",
                "WharfFakes", "WharfKillHarness", "WharfRandom", "CacheProbe", "DataProbe",
                .product(name: "GRDB", package: "GRDB.swift", condition: trait("SQLite")),
            ]
        ),
        .testTarget(
            name: "WharfStoresTests",
            dependencies: ["WharfStores", "WharfStorage", "WharfCache", "WharfChecks", "WharfCoreLaws", "WharfFakes"]
        ),
        .testTarget(
            name: "WharfRepositoryTests",
            dependencies: [
                "WharfRepository", "WharfStorage", "WharfOutbox", "WharfStores", "WharfChecks", "WharfCoreLaws",
                "WharfFakes",
                "WharfPrimitives", "WharfRandom",
            ]
        ),
        .testTarget(
            name: "WharfOutboxTests",
            dependencies: [
                "WharfOutbox", "WharfStorage", "WharfSQLite", "WharfStores", "WharfChecks", "WharfCoreLaws",
                "WharfFakes",
                "WharfKillHarness", "WharfPrimitives", "WharfRandom", "WharfTestServer", "OutboxProbe",
                .product(name: "GRDB", package: "GRDB.swift", condition: trait("SQLite")),
            ]
        ),
        .testTarget(
            name: "WharfAnalyticsTests",
            dependencies: [
                "LiveTransport", "WharfAnalytics", "WharfContentCoding", "WharfCore", "WharfStorage", "WharfJSON",
                "WharfOutbox",
                "WharfPresentation", "WharfStores", "WharfAnalyticsFakes", "WharfAnalyticsLaws", "WharfChecks",
                "WharfCoreLaws", "WharfFakes", "WharfRandom", "WharfTestServer",
            ]
        ),
        .testTarget(
            name: "WharfCombineTests",
            dependencies: [
                "WharfCombine", "WharfHTTP", "WharfRepository", "WharfStores", "WharfChecks", "WharfCoreLaws",
                "WharfFakes", "WharfPrimitives",
            ]
        ),
        .testTarget(
            name: "WharfTestingTests",
            dependencies: [
                "WharfHTTP", "WharfJSON", "WharfRepository", "WharfChecks", "WharfCoreLaws", "WharfFakes",
                "WharfHTTPLaws", "WharfJSONFakes", "WharfJSONLaws", "WharfRandom", "WharfRecording", "CompileChecks",
            ],
            path: "Tests/TestKit/WharfTestingTests",
            // These files have deliberate errors. The tests compile them and check the diagnostics.
            exclude: ["Laws/Variance"]
        ),
        .testTarget(
            name: "WharfFaultsTests",
            dependencies: [
                "WharfFaults", "WharfCache", "WharfHTTP", "WharfChecks", "WharfFakes", "WharfRandom",
                "WharfTestServer", "LiveTransport",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: trait("TestServer")),
            ]
        ),
        .testTarget(
            name: "WharfPresentationTests",
            dependencies: [
                "WharfPresentation", "WharfChecks", "WharfFakes", "WharfPresentationLaws", "WharfPrimitives",
                "WharfRandom",
            ]
        ),
        .testTarget(
            name: "WharfPlaybackTests",
            dependencies: [
                "WharfPlayback", "WharfChecks", "WharfFakes", "WharfPlaybackFakes", "WharfPlaybackLaws",
                "WharfRandom",
            ]
        ),
        .testTarget(
            name: "WharfScreensTests",
            dependencies: [
                "WharfScreens", "WharfCore", "WharfFaults", "WharfJSON", "WharfPlayback", "WharfChecks", "WharfFakes",
                "WharfPlaybackFakes", "WharfPlaybackLaws", "WharfPrimitives", "WharfRandom", "WharfTestServer",
                "LiveTransport",
            ]
        ),
        .testTarget(
            name: "WharfDLNATests",
            dependencies: [
                "WharfDLNA", "WharfPlayback", "WharfChecks", "WharfFakes", "WharfPlaybackLaws", "WharfTestServer",
                "ChildPrograms", "LiveTransport",
            ]
        ),
        .testTarget(
            name: "WharfCastTests",
            dependencies: [
                "WharfCast", "WharfJSON", "WharfPlayback", "WharfChecks", "WharfFakes", "WharfPlaybackLaws",
                "ChildPrograms", "TestCertificates", cast("NIOCore"), cast("NIOEmbedded"), cast("NIOPosix"),
                cast("NIOSSL", "swift-nio-ssl"),
            ],
            // An independent sender in Python for a test.
            exclude: ["pychromecast"]
        ),
        .testTarget(
            name: "WharfMessagingTests",
            dependencies: [
                "WharfMessaging", "WharfCore", "WharfStorage", "WharfJSON", "WharfOutbox", "WharfStores",
                "WharfChecks",
                "WharfCoreLaws", "WharfFakes", "WharfMessagingFakes", "WharfMessagingLaws", "WharfPrimitives",
                "WharfRandom", "WharfSMTP", "ChildPrograms", "TestCertificates",
            ],
            // A mail server in Python for tests.
            exclude: ["smtp"]
        ),
        .testTarget(
            name: "WharfTests",
            dependencies: [
                "Wharf", "WharfCache", "WharfStorage", "WharfAnalytics", "WharfMessaging", "WharfChecks",
                "WharfCoreLaws", "WharfFakes", "WharfJSON",
                "WharfJSONFakes", "WharfKillHarness", "WharfRandom", "WharfTestServer", "LiveTransport", "StackProbe",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `make test` and `make t ONLY=WharfCacheTests` set WHARF_ONLY. The manifest then has only these
// targets, their dependencies and the packages that those use, for two reasons:
// - SwiftPM builds all test targets into one bundle. A one-line change would rebuild the other
//   thirty.
// - A declared but unused package still enables traits of packages that it shares with Wharf. The
//   modules would then get other flags than in the nested packages, and could not be shared.
if let only = onlyTargets {
    var waiting = only.split(separator: ",").map(String.init)
    var targets: Set<String> = []
    var packages: Set<String> = []
    while let name = waiting.popLast() {
        guard targets.insert(name).inserted else { continue }
        guard let target = package.targets.first(where: { $0.name == name }) else {
            fatalError("WHARF_ONLY names the target \(name), and Package.swift has no target of that name")
        }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): waiting.append(name)
            case .productItem(_, let package, _, _): packages.insert(package ?? "")
            default: break
            }
        }
    }
    package.targets.removeAll { !targets.contains($0.name) }
    package.products.removeAll { product in
        guard let library = product as? Product.Library else { return false }
        return !targets.isSuperset(of: library.targets)
    }
    package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
        return !packages.contains(location.split(separator: "/").last.map(String.init) ?? "")
    }
} else {
    let incomplete = traitsOfTests.filter { !$0.value.isSubset(of: builtTraits) }
    package.targets.removeAll { incomplete[$0.name] != nil }
    for target in package.targets {
        target.dependencies.removeAll { dependency in
            guard case .byNameItem(let name, _) = dependency else { return false }
            return incomplete[name] != nil
        }
    }
}

// CI sets WHARF_CI. In other builds the warnings of a newer compiler must not be errors.
let warningsAreErrors = Context.environment["WHARF_CI"] != nil

for target in package.targets {
    let library = target.name.hasSuffix("Tests") ? String(target.name.dropLast("Tests".count)) : target.name
    var settings = builtTraits.filter { libraries[$0]?.contains(library) ?? true }.map { SwiftSetting.define($0) }
    settings += target.swiftSettings ?? []
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
    if target.path == nil {
        guard let room = rooms.first(where: { $0.value.contains(library) }) else {
            fatalError("Package.swift has no room for the target \(target.name)")
        }
        target.path = "\(target.isTest ? "Tests" : "Sources")/\(room.key)/\(target.name)"
    }
}
