import Testing
import WharfChecks
import WharfMessaging
import WharfMessagingLaws

struct ChannelLawTests {
    @Test(arguments: ChannelsUnderLaws.all, ChannelLaws.all)
    func eachChannelKeeps(channel: ChannelLaws.Subject, law: Law<ChannelLaws.Subject>) async throws {
        try await law.check(channel)
    }

    @Test(arguments: ChannelLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<ChannelLaws.Subject>) async throws {
        try await law.prove(by: ChannelMutants.all, in: ChannelLaws.all)
    }
}
