// A type takes its dependencies in its initialiser, so it can't be made without them.
import WharfDependencies

struct ProfileReading: Sendable {
    let readProfile: @Sendable (_ ofUser: String) async throws -> String
    let unread: @Sendable () -> Int
}

final class ProfileView {
    private let profiles: ProfileReading

    init(profiles: ProfileReading) {
        self.profiles = profiles
    }
}

#if CORRECTED
let reading = ProfileReading(
    readProfile: { _ in "Ann" },
    unread: { 0 })
let view = ProfileView(profiles: reading)
#else
let reading = ProfileReading(
    readProfile: { _ in "Ann" })  // expect-error: missing argument for parameter 'unread'
let view = ProfileView()  // expect-error: missing argument for parameter 'profiles'
#endif
