/// The table "Packages and targets" of the design, for the existing targets. A new target needs a
/// row.
public struct Table: Sendable {
    /// The path of this table, for messages.
    public static let path = "Tests/ConsumerGraph/Sources/ConsumerGraph/Table.swift"

    public let rules: [Rule]

    public init(_ rules: [Rule]) {
        self.rules = rules
    }

    public func rule(for target: String) -> Rule? {
        rules.first { $0.target == target }
    }

    /// The target and every module that it may reach, of Wharf and from elsewhere.
    public func reach(of target: String) -> Set<String> {
        var reached: Set<String> = []
        var open = [target]
        while let next = open.popLast() {
            guard reached.insert(next).inserted, let rule = rule(for: next) else { continue }
            open += rule.siblings.union(rule.outside)
        }
        return reached
    }

    /// The test kit, which `WharfTesting` re-exports as a whole.
    private static let kit: Set = [
        "WharfAnalyticsFakes", "WharfAnalyticsLaws", "WharfChecks", "WharfCoreLaws", "WharfFakes", "WharfFaults",
        "WharfHTTPLaws", "WharfJSONFakes", "WharfJSONLaws", "WharfKillHarness", "WharfMessagingFakes",
        "WharfMessagingLaws", "WharfPlaybackFakes", "WharfPlaybackLaws", "WharfPresentationLaws", "WharfRandom",
        "WharfRecording",
    ]

    public static let wharf = Table([
        // Observation is part of the toolchain and needs no Foundation.
        Rule("WharfPrimitives"),
        Rule(
            "WharfCore", siblings: ["WharfPrimitives"], outside: ["HTTPTypes", "Observation"],
            reexports: ["HTTPTypes"]),
        Rule("WharfJSON"),
        Rule("WharfJSONFoundation", siblings: ["WharfJSON"], outside: ["Foundation"]),
        // Files that declare paths and decoders configure WharfCheck, and they import it alone.
        Rule(
            "WharfCheck", siblings: ["WharfJSON", "WharfJSONFoundation"], outside: ["Foundation"],
            reexports: ["WharfJSON", "WharfJSONFoundation"]),
        Rule("WharfGraphQL"),
        Rule("WharfDependencies"),
        Rule("WharfMacros", siblings: ["WharfJSON", "WharfMacrosPlugin"]),
        Rule(
            "WharfMacrosPlugin",
            outside: [
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
                "SwiftSyntaxMacros",
            ]
        ),
        Rule(
            "WharfHTTP",
            siblings: ["WharfCore", "WharfJSON", "WharfJSONFoundation", "WharfPrimitives"],
            // On Apple platforms Network reports whether there is a network.
            outside: ["HTTPTypes", "Logging", "Foundation", "Dispatch", "Network"]
        ),
        Rule(
            "WharfGraphQLClient",
            siblings: ["WharfCore", "WharfGraphQL", "WharfHTTP", "WharfJSON", "WharfJSONFoundation"]),
        // On Apple platforms Security and CryptoKit provide the key of a server's certificate.
        Rule(
            "WharfURLSession", siblings: ["WharfCore", "WharfHTTP", "WharfPrimitives"],
            outside: ["Foundation", "FoundationNetworking", "Security", "CryptoKit"]
        ),
        // Foundation for the URL type that AsyncHTTPClient also reads.
        Rule(
            "WharfAsyncHTTPClient", siblings: ["WharfCore"],
            outside: [
                "AsyncHTTPClient", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHTTPCompression", "NIOSSL", "Crypto",
                "Foundation",
            ]
        ),
        // C targets import no Swift module.
        Rule("CContentCoding"),
        Rule("CCurl"),
        // zlib, and brotli and zstd if they are installed.
        Rule("WharfContentCoding", siblings: ["WharfCore"], outside: ["CContentCoding"]),
        // libcurl, and Glibc for the environment and error numbers.
        Rule(
            "WharfCurl", siblings: ["WharfCore", "WharfContentCoding", "WharfPrimitives"],
            outside: ["CCurl", "Glibc", "Musl"]),
        Rule("WharfCache", siblings: ["WharfCore", "WharfPrimitives"], outside: ["HTTPTypes"]),
        // GRDB's queues are Dispatch queues. GRDBSQLite is the system's SQLite under the name of
        // GRDB's package. Foundation for the system's background time and the attributes of files.
        Rule(
            "WharfSQLite", siblings: ["WharfCore", "WharfPrimitives"], outside: ["GRDB", "GRDBSQLite", "Dispatch"],
            onApple: ["Foundation"]),
        // Security for the keychain on Apple platforms.
        Rule(
            "WharfStores", siblings: ["WharfCore", "WharfPrimitives"], outside: ["Foundation", "Crypto", "Security"]),
        Rule("WharfRepository", siblings: ["WharfCore", "WharfPrimitives"]),
        // BackgroundTasks for the system's background time.
        Rule("WharfOutbox", siblings: ["WharfCore", "WharfPrimitives"], onApple: ["BackgroundTasks"]),
        // Both adapt the outbox engine alone: its events, its drain.
        Rule("WharfObservability", siblings: ["WharfCore", "WharfOutbox"], outside: ["CoreMetrics", "Tracing"]),
        Rule("WharfServiceLifecycle", siblings: ["WharfCore", "WharfOutbox"], outside: ["ServiceLifecycle"]),
        // gzip for requests to collectors.
        Rule("WharfAnalytics", siblings: ["WharfContentCoding", "WharfCore", "WharfJSON", "WharfPrimitives"]),
        Rule(
            "WharfCombine", siblings: ["WharfCore"], outside: ["Combine", "OpenCombine"],
            reexports: ["Combine", "OpenCombine"]
        ),
        // Foundation for directories, Logging for the default log.
        Rule(
            "Wharf",
            siblings: [
                "WharfCore", "WharfJSON", "WharfJSONFoundation", "WharfHTTP", "WharfCache", "WharfSQLite",
                "WharfStores", "WharfRepository", "WharfOutbox", "WharfURLSession", "WharfCurl",
            ],
            outside: ["Foundation", "Logging"],
            reexports: [
                "WharfCore", "WharfJSON", "WharfJSONFoundation", "WharfHTTP", "WharfCache", "WharfSQLite",
                "WharfStores", "WharfRepository", "WharfOutbox", "WharfURLSession", "WharfCurl",
            ]
        ),
        // UIKit and SwiftUI for their adapters, Foundation for index paths and sets.
        Rule(
            "WharfPresentation", siblings: ["WharfCore", "WharfPrimitives"], outside: ["Observation"],
            onApple: ["Foundation", "SwiftUI", "UIKit"]),
        // AVFoundation for the player engine, and UIKit for the AirPlay button.
        Rule(
            "WharfPlayback", siblings: ["WharfCore", "WharfPrimitives"],
            onApple: ["AVFoundation", "AVKit", "Foundation", "UIKit"]),
        // JSON for the messages of a network screen. Separate from WharfPlayback, whose users may
        // have no network at all. Dispatch for the sockets of its server.
        Rule(
            "WharfScreens", siblings: ["WharfCore", "WharfJSON", "WharfPlayback", "WharfPrimitives"],
            outside: ["Dispatch"]),
        // Foundation for URLs and XML. XML is a module of its own except on Apple platforms.
        Rule(
            "WharfDLNA", siblings: ["WharfCore", "WharfPlayback", "WharfPrimitives"],
            outside: ["Dispatch", "Foundation", "FoundationXML"]),
        Rule(
            "WharfCast", siblings: ["WharfJSON", "WharfPlayback", "WharfPrimitives"],
            outside: ["NIOCore", "NIOPosix", "NIOSSL"]),
        Rule(
            "WharfMessaging", siblings: ["WharfCore", "WharfJSON", "WharfPrimitives"],
            outside: ["Subprocess", "System", "SystemPackage"]),
        // libcurl, which connects to mail servers; Glibc for the environment.
        Rule(
            "WharfSMTP", siblings: ["WharfCore", "WharfMessaging", "WharfPrimitives"],
            outside: ["CCurl", "Glibc", "Musl"]),
        Rule("WharfRandom"),
        Rule("WharfFaults", siblings: ["WharfCore", "WharfRandom"], reexports: ["WharfRandom"]),
        // The only target of the kit that links the testing libraries. It has no sibling with many
        // dependencies, so that a leak check compiles four targets. Observation finds the observer
        // that holds a leaked object, for the message.
        Rule(
            "WharfChecks", siblings: ["WharfDependencies", "WharfPrimitives", "WharfRandom"],
            outside: ["Foundation", "Observation", "Testing", "XCTest"]),
        // Previews use the fakes, and an app on Apple platforms can't load XCTest.
        Rule("WharfFakes", siblings: ["WharfCore", "WharfPrimitives", "WharfRandom"]),
        Rule("WharfJSONFakes", siblings: ["WharfCore", "WharfJSON"]),
        Rule("WharfAnalyticsFakes", siblings: ["WharfAnalytics", "WharfCore", "WharfFakes"]),
        Rule("WharfMessagingFakes", siblings: ["WharfCore", "WharfFakes", "WharfMessaging"]),
        Rule("WharfPlaybackFakes", siblings: ["WharfFakes", "WharfPlayback"]),
        Rule(
            "WharfAnalyticsLaws",
            siblings: ["WharfAnalytics", "WharfChecks", "WharfCore", "WharfJSON", "WharfRandom"]),
        Rule(
            "WharfCoreLaws", siblings: ["WharfChecks", "WharfCore", "WharfFakes", "WharfRandom"]),
        Rule("WharfHTTPLaws", siblings: ["WharfChecks", "WharfCore", "WharfHTTP"]),
        Rule("WharfJSONLaws", siblings: ["WharfChecks", "WharfJSON"]),
        Rule("WharfMessagingLaws", siblings: ["WharfChecks", "WharfCore", "WharfMessaging"]),
        Rule("WharfPlaybackLaws", siblings: ["WharfChecks", "WharfFakes", "WharfPlayback", "WharfPlaybackFakes"]),
        Rule(
            "WharfPresentationLaws", siblings: ["WharfChecks", "WharfCore", "WharfPresentation"],
            outside: ["Observation"]),
        // Foundation for files and base64.
        Rule(
            "WharfRecording", siblings: ["WharfChecks", "WharfCore", "WharfFakes", "WharfJSON", "WharfPrimitives"],
            outside: ["Foundation"]),
        Rule("WharfKillHarness", outside: ["Subprocess"]),
        Rule("WharfTesting", siblings: kit, reexports: kit),
        Rule(
            "WharfTestServer", siblings: ["WharfCore", "WharfFaults", "WharfPrimitives"],
            outside: ["Foundation", "FlyingSocks"]),
    ])
}
