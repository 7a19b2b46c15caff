import Testing
import WharfChecks

@Suite struct InterfaceExpansionTests {
    @Test func anInterfaceIsWrittenAsByHand() {
        Expansion.check(
            """
            extension ProfileView {
                @Interface(of: ProfileService.self)
                public struct Profiles: Sendable {
                    /// Reads the one with this name.
                    public let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
                    @Endpoint("readProfile", default: nil) let cached: @Sendable (_ for: String, Int) -> Profile?
                    let clear: @Sendable () async -> Void
                    let show: @MainActor (_ profile: Profile) -> Void
                    let settings: Settings
                    static let limit = 3
                    var isEmpty: Bool { false }
                }
            }
            """,
            becomes: """
                extension ProfileView {
                    public struct Profiles: Sendable {
                        /// Reads the one with this name.
                        public let readProfile: @Sendable (_ ofUser: String) async throws -> Profile
                        let cached: @Sendable (_ for: String, Int) -> Profile?
                        let clear: @Sendable () async -> Void
                        let show: @MainActor (_ profile: Profile) -> Void
                        let settings: Settings
                        static let limit = 3
                        var isEmpty: Bool { false }

                        public init(
                            readProfile: @escaping @Sendable (_ ofUser: String) async throws -> Profile,
                            cached: @escaping @Sendable (_ for: String, Int) -> Profile?,
                            clear: @escaping @Sendable () async -> Void,
                            show: @escaping @MainActor (_ profile: Profile) -> Void,
                            settings: Settings
                        ) {
                            self.readProfile = readProfile
                            self.cached = cached
                            self.clear = clear
                            self.show = show
                            self.settings = settings
                        }

                        public init(_ service: ProfileService) {
                            self.init(
                                readProfile: { try await forwarded(service.readProfile(ofUser: $0)) },
                                cached: { service.readProfile(for: $0, $1) },
                                clear: { await forwarded(service.clear(), throwing: Never.self) },
                                show: { service.show(profile: $0) },
                                settings: Settings(service)
                            )
                        }

                        public static var unimplemented: Self {
                            Self(
                                readProfile: { _ in try unimplementedEndpoint("ProfileView.Profiles.readProfile(ofUser:)") },
                                cached: { _, _ in unimplementedEndpoint("ProfileView.Profiles.readProfile(for:_:)", default: nil) },
                                clear: { unimplementedEndpoint("ProfileView.Profiles.clear()", default: ()) },
                                show: { _ in unimplementedEndpoint("ProfileView.Profiles.show(profile:)", default: ()) },
                                settings: Settings.unimplemented
                            )
                        }

                        public func overriding(
                            readProfile: (@Sendable (_ ofUser: String) async throws -> Profile)? = nil,
                            cached: (@Sendable (_ for: String, Int) -> Profile?)? = nil,
                            clear: (@Sendable () async -> Void)? = nil,
                            show: (@MainActor (_ profile: Profile) -> Void)? = nil,
                            settings: Settings? = nil
                        ) -> Self {
                            Self(
                                readProfile: readProfile ?? self.readProfile,
                                cached: cached ?? self.cached,
                                clear: clear ?? self.clear,
                                show: show ?? self.show,
                                settings: settings ?? self.settings
                            )
                        }

                        /// Reads the one with this name.
                        public func readProfile(ofUser: String) async throws -> Profile {
                            try await self.readProfile(ofUser)
                        }

                        public func readProfile(for: String, _ value1: Int) -> Profile? {
                            self.cached(`for`, value1)
                        }

                        @MainActor public func show(profile: Profile) {
                            self.show(profile)
                        }
                    }
                }
                """)
    }

    @Test func typeAliasInTheStructResolvesToItsClosure() {
        Expansion.check(
            """
            @Interface(of: Service.self) struct Reading {
                typealias Read = @Sendable (_ ofUser: String) async throws -> Profile
                typealias Again = Self.Read
                typealias Inner = Settings
                let read: Read
                let same: Self.Again
                let inner: Inner
            }
            """,
            becomes: """
                struct Reading {
                    typealias Read = @Sendable (_ ofUser: String) async throws -> Profile
                    typealias Again = Self.Read
                    typealias Inner = Settings
                    let read: Read
                    let same: Self.Again
                    let inner: Inner

                    init(
                        read: @escaping Read,
                        same: @escaping Self.Again,
                        inner: Inner
                    ) {
                        self.read = read
                        self.same = same
                        self.inner = inner
                    }

                    init(_ service: Service) {
                        self.init(
                            read: { try await forwarded(service.read(ofUser: $0)) },
                            same: { try await forwarded(service.same(ofUser: $0)) },
                            inner: Inner(service)
                        )
                    }

                    static var unimplemented: Self {
                        Self(
                            read: { _ in try unimplementedEndpoint("Reading.read(ofUser:)") },
                            same: { _ in try unimplementedEndpoint("Reading.same(ofUser:)") },
                            inner: Inner.unimplemented
                        )
                    }

                    func overriding(
                        read: Read? = nil,
                        same: Self.Again? = nil,
                        inner: Inner? = nil
                    ) -> Self {
                        Self(
                            read: read ?? self.read,
                            same: same ?? self.same,
                            inner: inner ?? self.inner
                        )
                    }

                    func read(ofUser: String) async throws -> Profile {
                        try await self.read(ofUser)
                    }

                    func same(ofUser: String) async throws -> Profile {
                        try await self.same(ofUser)
                    }
                }
                """)
    }

    @Test func typedThrowsAndGenericsAreKeptInTheExpansion() {
        Expansion.check(
            """
            @Interface(of: (any Reading).self) struct Feed {
                @Endpoint(default: 0) let count: @Sendable (_ of: String) throws(Missing) -> Int
                let read: @Sendable (any Decodable.Type, _ at: String) async throws -> any Decodable
                @Endpoint(default: "") let name: String
            }
            """,
            becomes: """
                struct Feed {
                    let count: @Sendable (_ of: String) throws(Missing) -> Int
                    let read: @Sendable (any Decodable.Type, _ at: String) async throws -> any Decodable
                    let name: String

                    init(
                        count: @escaping @Sendable (_ of: String) throws(Missing) -> Int,
                        read: @escaping @Sendable (any Decodable.Type, _ at: String) async throws -> any Decodable,
                        name: String
                    ) {
                        self.count = count
                        self.read = read
                        self.name = name
                    }

                    init(_ service: any Reading) {
                        self.init(
                            count: { (value0: String) throws(Missing) -> Int in try forwarded(service.count(of: value0), throwing: (Missing).self) },
                            read: { try await forwarded(service.read($0, at: $1)) },
                            name: service.name
                        )
                    }

                    static var unimplemented: Self {
                        Self(
                            count: { _ in unimplementedEndpoint("Feed.count(of:)", default: 0) },
                            read: { _, _ in try unimplementedEndpoint("Feed.read(_:at:)") },
                            name: ""
                        )
                    }

                    func overriding(
                        count: (@Sendable (_ of: String) throws(Missing) -> Int)? = nil,
                        read: (@Sendable (any Decodable.Type, _ at: String) async throws -> any Decodable)? = nil,
                        name: String? = nil
                    ) -> Self {
                        Self(
                            count: count ?? self.count,
                            read: read ?? self.read,
                            name: name ?? self.name
                        )
                    }

                    func count(of: String) throws(Missing) -> Int {
                        try self.count(of)
                    }

                    func read<Value: Decodable>(_ value0: Value.Type, at: String) async throws -> Value {
                        try await genericEndpoint("Feed.read(_:at:)", self.read(value0, at))
                    }
                }
                """)
    }
}
