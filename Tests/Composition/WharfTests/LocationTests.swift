import Foundation
import Testing

@testable import Wharf

@Suite struct LocationTests {
    @Test(
        arguments: [
            (["XDG_CACHE_HOME": "/c", "XDG_DATA_HOME": "/d", "HOME": "/h"], "/c", "/d"),
            (["HOME": "/h"], "/h/.cache", "/h/.local/share"),
            // The XDG specification requires relative values to be ignored.
            (["XDG_CACHE_HOME": "c", "XDG_DATA_HOME": "", "HOME": "/h"], "/h/.cache", "/h/.local/share"),
            ([:], "/home/.cache", "/home/.local/share"),
        ] as [([String: String], String, String)])
    func foldersFollowTheXDGSpecification(environment: [String: String], caches: String, data: String) {
        #expect(AppFolder.caches.xdgFolder(environment, home: "/home") == caches)
        #expect(AppFolder.data.xdgFolder(environment, home: "/home") == data)
    }

    #if os(Linux)
    @Test func eachFileLiesInTheFolderOfTheApp() throws {
        let environment = ProcessInfo.processInfo.environment
        let data = AppFolder.data.xdgFolder(environment, home: NSHomeDirectory())
        #expect(DataLocation.applicationSupport(name: "notes").path == data + "/notes/data.sqlite")
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        #expect(DataLocation.applicationSupport().path == "\(data)/\(app)/data.sqlite")

        let caches = AppFolder.caches.xdgFolder(environment, home: NSHomeDirectory())
        #expect(CacheLocation.caches(name: "notes").path == caches + "/notes/cache.sqlite")
        #expect(CacheLocation.caches().path == "\(caches)/\(app)/cache.sqlite")
    }
    #endif
}
