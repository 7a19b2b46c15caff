import Testing
import WharfChecks
import WharfJSON

@Suite struct NestedKeyTests {
    private static let place = Place(
        name: "x", city: "Bonn", latitude: 50.5, longitude: 7.25, street: nil, link: nil, next: "/2")

    @Test func nestedKeysShareTheirEnclosingObjects() throws {
        try roundTrip(
            #"{"name":"x","address":{"city":"Bonn","geo":{"lat":50.5,"lng":7.25}},"links":{"next":{"href":"/2"}}}"#,
            Self.place)
    }

    @Test(arguments: [#""links":{}"#, #""links":null"#, #""links":{"next":null}"#, #""links":{"next":{}}"#])
    func optionalNestedObjectsMayBeMissingOrNull(links: String) throws {
        let text = #"{"name":"x","address":{"city":"Bonn","geo":{"lat":50.5,"lng":7.25}},\#(links)}"#
        let place = try JSON.decode(Place.self, from: text)
        #expect(place.next == nil && place.link == nil)
        #expect(try !JSON.text(place).contains("links"))
    }

    @Test(arguments: [
        (#"{"name":"x"}"#, ["missingKey address 1:1"]),
        (#"{"name":"x","address":{}}"#, ["missingKey address.city 1:23", "missingKey address.geo 1:23"]),
        (
            #"{"name":"x","address":{"city":"b","geo":{}}}"#,
            ["missingKey address.geo.lat 1:41", "missingKey address.geo.lng 1:41"]
        ),
        (#"{"address":{"city":"b","geo":{"lng":1}}}"#, ["missingKey name 1:1", "missingKey address.geo.lat 1:30"]),
        (#"{"name":"x","address":{"city":"b","geo":null}}"#, ["typeMismatch address.geo 1:41"]),
        (#"{"name":"x","address":7}"#, ["typeMismatch address 1:23"]),
        (
            #"{"name":"x","address":{"city":1,"geo":{"lat":"","lng":2}}}"#,
            ["typeMismatch address.city 1:31", "typeMismatch address.geo.lat 1:46"]
        ),
    ])
    func missingNestedKeyIsReportedOnceAtItsLocation(text: String, expected: [String]) {
        #expect(issues(text, as: Place.self).sorted() == expected.sorted())
    }
}
