@main enum CacheProbe { static func main() {} }
