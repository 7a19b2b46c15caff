import Testing
import WharfJSON

/// The test services report requests that the documentation forbids.
struct VendorRulesTests {
    private static let segment = #"""
        {"batch":[{"type":"track","messageId":"m","timestamp":"2026-01-02T03:04:05.006Z","userId":"u",
        "event":"Opened","properties":{}}],"sentAt":"2026-01-02T03:04:05Z","context":{"library":{"name":"wharf"}}}
        """#
    private static let postHog = #"""
        {"api_key":"k","historical_migration":false,"sent_at":"2026-01-02T03:04:05Z","batch":[{"event":"$identify",
        "distinct_id":"u","timestamp":"2026-01-02T03:04:05.006Z","uuid":"019b7ca9-8c8e-7000-8000-000000000000",
        "properties":{"$set":{},"$session_id":"019b7ca9-8c8e-7000-8000-000000000000","$anon_distinct_id":"a"}}]}
        """#

    @Test func validBodiesHaveNoViolations() {
        #expect(SegmentRules.violations(of: Array(Self.segment.utf8)) == [])
        #expect(PostHogRules.violations(of: Array(Self.postHog.utf8), apiKey: "k") == [])
    }

    @Test(arguments: [
        (#""type":"track""#, #""type":"visit""#), (#""messageId":"m","#, ""), (#""userId":"u","#, ""),
        (#""event":"Opened","#, ""), (#""event":"Opened""#, #""event":"""#), ("05.006Z", "05.006"),
        (#""properties":{}"#, #""properties":[]"#), (#""userId":"u""#, #""user":"u""#),
        (#""sentAt":"#, #""sent_at":"#), (#""name":"wharf""#, ""), (#""track","messageId""#, #""alias","messageId""#),
        (#""userId":"u""#, #""userId":17"#), (#"{"library""#, #"{"session":"s","library""#), ("}]", "}"),
    ])
    func segmentsServiceFindsABrokenField(whole: String, broken: String) {
        #expect(Self.segment.contains(whole))
        let body = Self.segment.replacing(whole, with: broken)
        #expect(!SegmentRules.violations(of: Array(body.utf8)).isEmpty, "\(body)")
    }

    @Test(arguments: [
        (#""api_key":"k""#, #""api_key":"other""#), (#""distinct_id":"u","#, ""), (#""u","time"#, #""","time"#),
        ("05.006Z", "05:006Z"), (#""uuid":"019b"#, #""uuid":"x19b"#), (#""$set":{},"#, ""),
        ("-7000-8000", "-4000-8000"),
        (#""$session_id":"019b7ca9"#, #""$session_id":"019b7fff"#),
        (#""$anon_distinct_id":"a""#, #""$anon_distinct_id":"u""#),
        (#""$set":{}"#, #""$set":{},"$process_person_profile":false"#), (#""$identify""#, #""$create_alias""#),
        (#""$identify""#, #""$groupidentify""#), (#""$identify""#, #""$screen""#), ("false", #""false""#),
        (#""timestamp""#, #""time""#),
    ])
    func postHogsServiceFindsABrokenField(whole: String, broken: String) {
        #expect(Self.postHog.contains(whole))
        let body = Self.postHog.replacing(whole, with: broken)
        #expect(!PostHogRules.violations(of: Array(body.utf8), apiKey: "k").isEmpty, "\(body)")
    }
}
