import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfFakes

@Suite struct TemporaryFolderTests {
    private struct Abandoned: Error {}

    @Test func folderIsRemovedWithItsLastOwner() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        try folder?.write("hello", "a.txt")
        try folder?.write([1, 2], ".hidden")
        #expect(try folder?.names == [".hidden", "a.txt"])
        #expect(try folder?.bytes(of: "a.txt") == Array("hello".utf8))
        #expect(folder?["a.txt"] == path + "/a.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path + "/a.txt")
        #expect(try folder?.permissions(of: "a.txt") == 0o640)
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func folderIsRemovedWhenTheClosureThrows() async throws {
        var path = ""
        await #expect(throws: Abandoned.self) {
            try await TemporaryFolder.run { folder in
                path = folder.path
                #expect(FileManager.default.fileExists(atPath: path))
                throw Abandoned()
            }
        }
        #expect(!path.isEmpty && !FileManager.default.fileExists(atPath: path))
    }

    @Test func foldersHaveDistinctPaths() throws {
        let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
        #expect(one.path != two.path)
    }

    @Test func anIncidentLogKeepsTheOrder() {
        let log = IncidentLog()
        let handler = log.handler
        handler(Incident(.notKept, message: "one"))
        handler(Incident(.storeFailed, message: "two"))
        #expect(log.codes == [.notKept, .storeFailed])
        #expect(log.all.map(\.message) == ["one", "two"])
    }
}
