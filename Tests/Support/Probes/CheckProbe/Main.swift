import Foundation
import WharfCheck

/// A user's own executable, with types that misbehave on demand.
@main enum CheckProbe {
    static func main() async {
        await PayloadCheck(
            BlogPostsRequest.self,
            rules: [
                Rule("at most 3 posts") { $0.posts.count <= 3 },
                Rule("every post has a title") { request, report in
                    for (index, post) in request.posts.enumerated() where post.title.isEmpty {
                        report("an empty title", at: ["posts", .index(index), "title"])
                    }
                },
            ]
        ).main()
    }
}

struct BlogPostsRequest: Decodable {
    let posts: [BlogPost]
}

struct BlogPost: Decodable {
    let title: String
    let tags: [String]

    private enum Keys: CodingKey { case title, tags, value }

    init(from decoder: any Decoder) throws {
        let post = try decoder.container(keyedBy: Keys.self)
        title = try post.decode(String.self, forKey: .title)
        var list = try post.nestedUnkeyedContainer(forKey: .tags)
        var tags: [String] = []
        while !list.isAtEnd {
            tags.append(try list.nestedContainer(keyedBy: Keys.self).decode(String.self, forKey: .value))
        }
        self.tags = tags
        switch title {
        case "crash": fatalError("a title that this type can't bear")
        case "crash where something stands in": precondition(!tags.contains(""), "an empty tag")
        case "grow": takeMuchMemory()
        case "grow where something stands in": if tags.contains("") { takeMuchMemory() }
        case let title where title.hasPrefix("/") && tags.contains(""): crash(notingItIn: title)
        case "talk": print("this goes to standard error")
        default: break
        }
    }
}

/// Reserves twice the memory that a run with placeholder values may have, and touches none of it.
private func takeMuchMemory() {
    let bytes = [UInt8](unsafeUninitializedCapacity: 2 << 30) { _, count in count = 0 }
    print(bytes.capacity)
}

private func crash(notingItIn file: String) -> Never {
    let noted = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    try? (noted + "crash\n").write(toFile: file, atomically: true, encoding: .utf8)
    fatalError("an empty tag")
}
