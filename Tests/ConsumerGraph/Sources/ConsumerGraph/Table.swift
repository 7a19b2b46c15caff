/// The table "Packages and targets" of the design, for the targets that exist. A new target needs a
/// row.
public struct Table: Sendable {
    /// Where the table is, for messages.
    public static let path = "Tests/ConsumerGraph/Sources/ConsumerGraph/Table.swift"

    public let rules: [Rule]

    public init(_ rules: [Rule]) {
        self.rules = rules
    }

    public func rule(for target: String) -> Rule? {
        rules.first { $0.target == target }
    }

    /// The target and everything of Wharf and from elsewhere that it may reach.
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
        // It is told by files that name paths and decoders, and these import it alone.
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
            siblings: ["WharfCore", "WharfGraphQL", "WharfJSON", "WharfJSONFoundation", "WharfPrimitives"],
            // On Apple platforms Network reports whether a network is there.
            outside: ["HTTPTypes", "Logging", "Foundation", "Dispatch", "Network"]
        ),
        // On Apple platforms Security and CryptoKit give the key of a server's certificate.
        Rule(
            "WharfURLSession", siblings: ["WharfCore", "WharfHTTP", "WharfPrimitives"],
            outside: ["Foundation", "FoundationNetworking", "Security", "CryptoKit"]
        ),
        // Foundation for the URL that AsyncHTTPClient reads as well.
        Rule(
            "WharfAsyncHTTPClient", siblings: ["WharfCore"],
            outside: [
                "AsyncHTTPClient", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHTTPCompression", "NIOSSL", "Crypto",
                "Foundation",
            ]
        ),
        // C: they import nothing of Swift's.
        Rule("CContentCoding"),
        Rule("CCurl"),
        // zlib, and brotli and zstd where they are.
        Rule("WharfContentCoding", siblings: ["WharfCore"], outside: ["CContentCoding"]),
        // libcurl; Glibc for the environment and the numbers of errors.
        Rule(
            "WharfCurl", siblings: ["WharfCore", "WharfContentCoding", "WharfPrimitives"],
            outside: ["CCurl", "Glibc", "Musl"]),
        Rule("WharfCache", siblings: ["WharfCore", "WharfPrimitives"], outside: ["HTTPTypes"]),
        // GRDB's queues are Dispatch's; GRDBSQLite is the system's SQLite as GRDB's package names
        // it. Foundation for the system's background time and the attributes of its files.
        Rule(
            "WharfSQLite", siblings: ["WharfCore", "WharfPrimitives"], outside: ["GRDB", "GRDBSQLite", "Dispatch"],
            onApple: ["Foundation"]),
        // Security is the keychain of Apple's platforms.
        Rule(
            "WharfStores", siblings: ["WharfCore", "WharfPrimitives"], outside: ["Foundation", "Crypto", "Security"]),
        Rule("WharfRepository", siblings: ["WharfCore", "WharfPrimitives"]),
        // The system's background time.
        Rule("WharfOutbox", siblings: ["WharfCore", "WharfPrimitives"], onApple: ["BackgroundTasks"]),
        // They are about the outbox engine alone: its events, its drain.
        Rule("WharfObservability", siblings: ["WharfCore", "WharfOutbox"], outside: ["CoreMetrics", "Tracing"]),
        Rule("WharfServiceLifecycle", siblings: ["WharfCore", "WharfOutbox"], outside: ["ServiceLifecycle"]),
        // gzip for what collectors are sent.
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
        // UIKit and SwiftUI in the adapters to them; Foundation for their index paths and sets.
        Rule(
            "WharfPresentation", siblings: ["WharfCore", "WharfPrimitives"], outside: ["Observation"],
            onApple: ["Foundation", "SwiftUI", "UIKit"]),
        // The engine of an Apple device, and UIKit for the button of AirPlay.
        Rule(
            "WharfPlayback", siblings: ["WharfCore", "WharfPrimitives"],
            onApple: ["AVFoundation", "AVKit", "Foundation", "UIKit"]),
        // JSON for what a network screen says. Apart from WharfPlayback, whose users may have no
        // network at all. Dispatch for the sockets of its server.
        Rule(
            "WharfScreens", siblings: ["WharfCore", "WharfJSON", "WharfPlayback", "WharfPrimitives"],
            outside: ["Dispatch"]),
        // Foundation for URLs and XML, which is a module of its own elsewhere than on Apple's
        // platforms.
        Rule(
            "WharfDLNA", siblings: ["WharfCore", "WharfPlayback", "WharfPrimitives"],
            outside: ["Dispatch", "Foundation", "FoundationXML"]),
        Rule(
            "WharfCast", siblings: ["WharfJSON", "WharfPlayback", "WharfPrimitives"],
            outside: ["NIOCore", "NIOPosix", "NIOSSL"]),
        Rule(
            "WharfMessaging", siblings: ["WharfCore", "WharfJSON", "WharfPrimitives"],
            outside: ["Subprocess", "System", "SystemPackage"]),
        // libcurl, which speaks SMTP; Glibc for the environment.
        Rule(
            "WharfSMTP", siblings: ["WharfCore", "WharfMessaging", "WharfPrimitives"],
            outside: ["CCurl", "Glibc", "Musl"]),
        Rule("WharfRandom"),
        Rule("WharfFaults", siblings: ["WharfCore", "WharfRandom"], reexports: ["WharfRandom"]),
        // The one part of the kit that links the testing libraries. No sibling with a reach of its
        // own: a leak check compiles these four targets. Observation tells a leak's message which
        // observer holds the object.
        Rule(
            "WharfChecks", siblings: ["WharfDependencies", "WharfPrimitives", "WharfRandom"],
            outside: ["Foundation", "Observation", "Testing", "XCTest"]),
        // Previews use the fakes, and an app on Apple's platforms can't load XCTest.
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
        // Foundation for the files and for base64.
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
