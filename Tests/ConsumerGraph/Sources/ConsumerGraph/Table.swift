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

    public static let wharf = Table([
        Rule("WharfErrors", "the shape of all errors: code, message, cause"),
        // Observation is part of the toolchain and needs no Foundation.
        Rule(
            "WharfPrimitives",
            "mutexes, semaphores, promises and broadcasts for tasks; backoff; circuit breaker; seeded randomness"),
        Rule(
            "WharfCore", "what an app reads and writes (transport, repository, snapshots, drafts), and its errors",
            siblings: ["WharfErrors", "WharfPrimitives"], outside: ["HTTPTypes", "Observation"],
            reexports: ["HTTPTypes", "WharfErrors"]),
        Rule(
            "WharfStorage", "the contracts of stores, journals and outboxes, and the values that they exchange",
            siblings: ["WharfCore", "WharfPrimitives"]),
        Rule(
            "WharfJSON", "JSON without Foundation: reader, writer, errors with their places", siblings: ["WharfErrors"],
            reexports: ["WharfErrors"]),
        Rule(
            "WharfJSONFoundation", "`Codable` types through the reader of WharfJSON", siblings: ["WharfJSON"],
            outside: ["Foundation"]),
        // Files that declare paths and decoders configure WharfCheck, and they import it alone.
        Rule(
            "WharfCheck", "a program that holds real payloads against an app's types",
            siblings: ["WharfJSON", "WharfJSONFoundation"], outside: ["Foundation"],
            reexports: ["WharfJSON", "WharfJSONFoundation"]),
        Rule(
            "WharfGraphQL", "parser and checker of GraphQL documents", siblings: ["WharfErrors"],
            reexports: ["WharfErrors"]),
        Rule(
            "WharfDependencies", "dependency injection by task-local values, with test doubles that fail",
            siblings: ["WharfErrors"], reexports: ["WharfErrors"]),
        Rule(
            "WharfMacros", "`@JSONCodable`, `@Polymorphic`, `@Interface`, `@TypeErased`",
            siblings: ["WharfJSON", "WharfMacrosPlugin"]),
        Rule(
            "WharfMacrosPlugin", "the code that the macros expand to",
            outside: [
                "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
                "SwiftSyntaxMacros",
            ]
        ),
        Rule(
            "WharfHTTP", "typed requests, credentials, retries, redirects, uploads and downloads",
            siblings: ["WharfCore", "WharfJSON", "WharfJSONFoundation", "WharfPrimitives"],
            // On Apple platforms Network reports whether there is a network.
            outside: ["HTTPTypes", "Logging", "Foundation", "Dispatch", "Network"]
        ),
        Rule(
            "WharfGraphQLClient", "GraphQL requests over WharfHTTP, answers with data and errors",
            siblings: ["WharfCore", "WharfGraphQL", "WharfHTTP", "WharfJSON", "WharfJSONFoundation"]),
        // On Apple platforms Security and CryptoKit provide the key of a server's certificate.
        Rule(
            "WharfURLSession", "the transport on URLSession, the default on Apple platforms",
            siblings: ["WharfCore", "WharfHTTP", "WharfPrimitives"],
            outside: ["Foundation", "FoundationNetworking", "Security", "CryptoKit"]
        ),
        // C targets import no Swift module.
        Rule("CContentCoding", "zlib, and brotli and zstd if the system has them, for Swift"),
        Rule("CCurl", "libcurl for Swift"),
        // zlib, and brotli and zstd if they are installed.
        Rule(
            "WharfContentCoding", "gzip, deflate, brotli and zstd as streams", siblings: ["WharfCore"],
            outside: ["CContentCoding"]),
        // libcurl, and Glibc for the environment and error numbers.
        Rule(
            "WharfCurl", "the transport on libcurl, the default on Linux",
            siblings: ["WharfCore", "WharfContentCoding", "WharfPrimitives"],
            outside: ["CCurl", "Glibc", "Musl"]),
        Rule(
            "WharfCache", "the HTTP cache: RFC 9111 as a pure policy, and the transport that applies it",
            siblings: ["WharfCore", "WharfStorage", "WharfPrimitives"], outside: ["HTTPTypes"]),
        // GRDB's queues are Dispatch queues. GRDBSQLite is the system's SQLite under the name of
        // GRDB's package. Foundation for the system's background time and the attributes of files.
        Rule(
            "WharfSQLite", "data file and cache file: entities, journal, values, responses",
            siblings: ["WharfCore", "WharfStorage", "WharfPrimitives"], outside: ["GRDB", "GRDBSQLite", "Dispatch"],
            onApple: ["Foundation"]),
        // Security for the keychain on Apple platforms.
        Rule(
            "WharfStores", "stores in memory and in files, the keychain, encryption at rest",
            siblings: ["WharfCore", "WharfStorage", "WharfPrimitives"], outside: ["Foundation", "Crypto", "Security"]),
        Rule(
            "WharfRepository", "models: reads that survive failure, edits, lists, pages, sync",
            siblings: ["WharfCore", "WharfStorage", "WharfPrimitives"]),
        // BackgroundTasks for the system's background time.
        Rule(
            "WharfOutbox", "the engine that delivers what waits: lanes, leases, retries, dead letters",
            siblings: ["WharfCore", "WharfStorage", "WharfPrimitives"], onApple: ["BackgroundTasks"]),
        // gzip for requests to collectors.
        Rule(
            "WharfAnalytics", "events with consent, identity and sessions; sinks for Segment and PostHog",
            siblings: ["WharfContentCoding", "WharfCore", "WharfStorage", "WharfJSON", "WharfPrimitives"]),
        Rule(
            "WharfCombine", "publishers of repositories, on Combine or OpenCombine", siblings: ["WharfCore"],
            outside: ["Combine", "OpenCombine"],
            reexports: ["Combine", "OpenCombine"]
        ),
        // Foundation for directories, Logging for the default log.
        Rule(
            "Wharf", "the stack: an app's repositories, cache, data file and outbox by one call",
            siblings: [
                "WharfCore", "WharfStorage", "WharfJSON", "WharfJSONFoundation", "WharfHTTP", "WharfCache",
                "WharfSQLite",
                "WharfStores", "WharfRepository", "WharfOutbox", "WharfURLSession", "WharfCurl", "WharfContentCoding",
            ],
            outside: ["Foundation", "Logging"],
            reexports: ["WharfCore", "WharfHTTP", "WharfStores", "WharfRepository", "WharfOutbox"]
        ),
        // Foundation for the URL type that AsyncHTTPClient also reads.
        Rule(
            "WharfServer",
            "for services: AsyncHTTPClient as a transport, lifecycle of the outbox, metrics and spans of outbox and cache",
            siblings: ["WharfCache", "WharfContentCoding", "WharfCore", "WharfStorage", "WharfOutbox"],
            outside: [
                "AsyncHTTPClient", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHPACK", "NIOHTTP2", "NIOSSL", "Crypto",
                "Foundation", "CoreMetrics", "Tracing", "ServiceLifecycle",
            ]
        ),
        Rule(
            "WharfGateway", "the HTTP cache for clients in any language: a reverse proxy over any transport",
            siblings: [
                "WharfCache", "WharfContentCoding", "WharfCore", "WharfJSON", "WharfPrimitives", "WharfStorage",
            ],
            outside: [
                "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHPACK", "NIOHTTP2", "NIOSSL", "NIOTLS", "ServiceLifecycle",
            ]
        ),
        // UIKit and SwiftUI for their adapters, Foundation for index paths and sets.
        Rule(
            "WharfPresentation", "lists and their differences, routes, presenters; adapters to UIKit and SwiftUI",
            siblings: ["WharfCore", "WharfPrimitives"], outside: ["Observation"],
            onApple: ["Foundation", "SwiftUI", "UIKit"]),
        // AVFoundation for the player engine, and UIKit for the AirPlay button.
        Rule(
            "WharfPlayback", "playback on this device or on a second screen",
            siblings: ["WharfCore", "WharfPrimitives"],
            onApple: ["AVFoundation", "AVKit", "Foundation", "UIKit"]),
        // JSON for the messages of a network screen. Separate from WharfPlayback, whose users may
        // have no network at all. Dispatch for the sockets of its server.
        Rule(
            "WharfScreens", "second screens of our own: a receiver, and the server that pairs it",
            siblings: ["WharfCore", "WharfJSON", "WharfPlayback", "WharfPrimitives"],
            outside: ["Dispatch"]),
        // Foundation for URLs and XML. XML is a module of its own except on Apple platforms.
        Rule(
            "WharfDLNA", "DLNA renderers", siblings: ["WharfCore", "WharfPlayback", "WharfPrimitives"],
            outside: ["Dispatch", "Foundation", "FoundationXML"]),
        Rule(
            "WharfCast", "Google Cast receivers", siblings: ["WharfJSON", "WharfPlayback", "WharfPrimitives"],
            outside: ["NIOCore", "NIOPosix", "NIOSSL"]),
        Rule(
            "WharfMessaging", "messages to people over channels: e-mail, gateways, standard output",
            siblings: ["WharfCore", "WharfStorage", "WharfJSON", "WharfPrimitives"],
            outside: ["Subprocess", "System", "SystemPackage"]),
        // libcurl, which connects to mail servers; Glibc for the environment.
        Rule(
            "WharfSMTP", "the e-mail channel over SMTP", siblings: ["WharfCore", "WharfMessaging", "WharfPrimitives"],
            outside: ["CCurl", "Glibc", "Musl"]),
        Rule("WharfRandom", "seeds and generators of random values"),
        Rule(
            "WharfFaults", "fault plans: latency, losses, resets, as a transport",
            siblings: ["WharfCore", "WharfRandom"], reexports: ["WharfRandom"]),
        // The only target of the kit that links the testing libraries. It has no sibling with many
        // dependencies, so that a leak check compiles five targets. Observation finds the observer
        // that holds a leaked object, for the message.
        Rule(
            "WharfChecks", "leak checks, property tests, law suites as values",
            siblings: ["WharfDependencies", "WharfErrors", "WharfPrimitives", "WharfRandom"],
            outside: ["Foundation", "Observation", "Testing", "XCTest"], reexports: ["WharfErrors"]),
        // Previews use the fakes, and an app on Apple platforms can't load XCTest.
        Rule(
            "WharfFakes", "fakes of the contracts, and a clock that the test moves",
            siblings: ["WharfCore", "WharfStorage", "WharfPrimitives", "WharfRandom"]),
        Rule("WharfJSONFakes", "example values of payload types, from JSON", siblings: ["WharfCore", "WharfJSON"]),
        Rule(
            "WharfAnalyticsFakes", "an analytics sink that remembers",
            siblings: ["WharfAnalytics", "WharfCore", "WharfFakes"]),
        Rule(
            "WharfMessagingFakes", "a channel that remembers", siblings: ["WharfCore", "WharfFakes", "WharfMessaging"]),
        Rule(
            "WharfPlaybackFakes", "players and screens under a test's control",
            siblings: ["WharfFakes", "WharfPlayback"]),
        Rule(
            "WharfAnalyticsLaws", "laws of sinks and stages",
            siblings: ["WharfAnalytics", "WharfChecks", "WharfCore", "WharfJSON", "WharfRandom"]),
        Rule(
            "WharfCoreLaws", "laws of transports, stores, journals, outboxes, destinations, repositories",
            siblings: ["WharfChecks", "WharfCore", "WharfStorage", "WharfFakes", "WharfRandom"]),
        Rule(
            "WharfHTTPLaws", "laws of credentials providers and middleware",
            siblings: ["WharfChecks", "WharfCore", "WharfHTTP"]),
        Rule("WharfJSONLaws", "laws of types that read and write JSON", siblings: ["WharfChecks", "WharfJSON"]),
        Rule("WharfMessagingLaws", "laws of channels", siblings: ["WharfChecks", "WharfCore", "WharfMessaging"]),
        Rule(
            "WharfPlaybackLaws", "laws of players and screens",
            siblings: ["WharfChecks", "WharfFakes", "WharfPlayback", "WharfPlaybackFakes"]),
        Rule(
            "WharfPresentationLaws", "laws of lists and their differences",
            siblings: ["WharfChecks", "WharfCore", "WharfPresentation"],
            outside: ["Observation"]),
        // Foundation for files and base64.
        Rule(
            "WharfRecording", "exchanges recorded to files and replayed",
            siblings: ["WharfCore", "WharfDependencies", "WharfFakes", "WharfJSON", "WharfPrimitives"],
            outside: ["Foundation"]),
        Rule("WharfKillHarness", "child processes that a test kills at a chosen line", outside: ["Subprocess"]),
        Rule(
            "WharfTestServer", "an HTTP server on loopback with scripted answers",
            siblings: ["WharfCore", "WharfFaults", "WharfPrimitives"],
            outside: ["Foundation", "FlyingSocks"]),
    ])
}
