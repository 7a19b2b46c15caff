// The whole test kit under one import. A target that compiles only the pieces it uses imports these
// by name: `WharfChecks` for leaks, laws and generators, `WharfFakes` for fakes in tests and
// previews.
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
