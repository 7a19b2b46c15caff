#if Server
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import WharfCore

extension HTTPClientRequest {
    init(_ request: TransportRequest, to target: Target, observedBy observer: ExchangeObserver?) {
        self.init(url: target.url)
        method = HTTPMethod(rawValue: request.head.method.rawValue)
        headers.reserveCapacity(request.head.headerFields.count + 2)
        headers.add(name: "Host", value: target.authority)
        if let observer { headers.add(name: ExchangeObserver.fieldName, value: observer.id) }
        for field in request.head.headerFields where field.name.canonicalName != "host" {
            // A caller's own field would name the observer of another request.
            if field.name.canonicalName == ExchangeObserver.fieldName.lowercased() { continue }
            headers.add(name: field.name.rawName, value: field.value)
        }
        switch request.body {
        case .none: break
        case .bytes(let bytes): body = .bytes(bytes)
        case .stream(let make, let length):
            let length = length.map { Body.Length.known($0) } ?? .unknown
            body = .stream(make().map { ByteBuffer(bytes: $0) }, length: length)
        }
    }
}
#endif
