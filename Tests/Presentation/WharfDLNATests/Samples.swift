import WharfCore
import WharfFakes
import WharfPlayback

@testable import WharfDLNA

enum Samples {
    static let film = MediaItem(
        id: "film-1", url: "http://192.0.2.1/film.mp4?a=1&b=<2>", contentType: "video/mp4",
        title: "Tom & \"Jerry\" <1>",
        duration: .seconds(100))
    static let song = MediaItem(id: "song", url: "http://192.0.2.1/song.mp3", contentType: "audio/mpeg")

    static let description = description(base: "", control: "/upnp/control/rendertransport1")

    static func description(
        base: String, control: String, udn: String = "uuid:1", name: String = "Den &amp; Co"
    ) -> String {
        """
        <?xml version="1.0"?>
        <root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>
        \(base)
        <device><deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType>
        <friendlyName>\(name)</friendlyName><UDN>\(udn)</UDN>
        <serviceList>
        <service><serviceType>urn:schemas-upnp-org:service:RenderingControl:1</serviceType><controlURL>/rc</controlURL></service>
        <service><serviceType>urn:schemas-upnp-org:service:AVTransport:2</serviceType>
        <controlURL>\(control)</controlURL></service>
        </serviceList></device></root>
        """
    }

    static func envelope(_ body: String) -> String {
        #"<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>"#
            + body + "</s:Body></s:Envelope>"
    }

    static func answer(_ name: String, _ values: [String: String]) -> StubAnswer {
        let values = values.sorted { $0.key < $1.key }.map { "<\($0.key)>\($0.value.escapedForMarkup)</\($0.key)>" }
        return .ok(
            envelope(
                #"<u:\#(name)Response xmlns:u="urn:schemas-upnp-org:service:AVTransport:2">"# + values.joined()
                    + "</u:\(name)Response>"))
    }

    static func fault(_ code: Int, _ reason: String = "no") -> StubAnswer {
        .respond(
            .internalServerError,
            envelope(
                "<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>"
                    + #"<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>\#(code)</errorCode>"#
                    + "<errorDescription>\(reason)</errorDescription></UPnPError></detail></s:Fault>"))
    }
}
