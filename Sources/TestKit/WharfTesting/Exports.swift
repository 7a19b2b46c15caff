// The whole test kit in one import. A target that compiles only some parts imports them by name.
// `WharfChecks` has leaks, laws and generators. `WharfFakes` has fakes for tests and previews.
@_exported public import WharfAnalyticsFakes
@_exported public import WharfAnalyticsLaws
@_exported public import WharfChecks
@_exported public import WharfCoreLaws
@_exported public import WharfFakes
@_exported public import WharfFaults
@_exported public import WharfHTTPLaws
@_exported public import WharfJSONFakes
@_exported public import WharfJSONLaws
@_exported public import WharfKillHarness
@_exported public import WharfMessagingFakes
@_exported public import WharfMessagingLaws
@_exported public import WharfPlaybackFakes
@_exported public import WharfPlaybackLaws
@_exported public import WharfPresentationLaws
@_exported public import WharfRandom
@_exported public import WharfRecording
